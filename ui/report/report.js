// The figures of a report, and saving them. The report's content policy allows only this script and Plotly.

const WIDTH = 900, TITLE = 34 // pixels: of a saved picture, and of its title
const figures = [...document.querySelectorAll("figure")]
const drawn = new Set()
const plotOf = (figure) => figure.querySelector(".plot")

function read(figure) {
  const { data, layout } = JSON.parse(figure.querySelector("script").textContent)
  return { data, layout: { ...layout, margin: { ...layout.margin, pad: 8 } } } // names apart from bars
}

function draw(figure) {
  if (drawn.has(figure)) return
  drawn.add(figure)
  Plotly.newPlot(plotOf(figure), {
    ...read(figure),
    config: { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["toImage"], showSendToCloud: false },
  })
}

const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) draw(target)
}, { rootMargin: "800px" })
figures.forEach((figure) => near.observe(figure))
addEventListener("beforeprint", () => figures.forEach(draw))

// A figure as the text of an SVG, as it is zoomed, below its title.
async function svg(figure) {
  const { height } = read(figure).layout
  const picture = await Plotly.toImage(drawn.has(figure) ? plotOf(figure) : read(figure), {
    format: "svg", imageDataOnly: true, width: WIDTH, height,
  })
  const title = figure.querySelector(".title").textContent.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt()};`)
  const size = `width="${WIDTH}" height="${height + TITLE}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${WIDTH} ${height + TITLE}"><title>${title}</title>
<rect ${size} fill="#FFFFFF"/>
<text x="8" y="22" font-family="sans-serif" font-size="15" font-weight="bold" fill="#1B2733">${title}</text>
${picture.replace("<svg", `<svg y="${TITLE}"`)}
</svg>
`
}

function download(name, content, type) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

for (const figure of figures) {
  figure.querySelector(".save").addEventListener("click", async () => {
    download(`${figure.dataset.name}.svg`, await svg(figure), "image/svg+xml")
  })
}

document.querySelector(".save-all")?.addEventListener("click", async ({ target: button }) => {
  const label = button.textContent, files = []
  button.disabled = true
  try {
    for (const figure of figures) {
      button.textContent = `Saving picture ${files.length + 1} of ${figures.length} …`
      files.push([`${String(files.length + 1).padStart(2, "0")}_${figure.dataset.name}.svg`, await svg(figure)])
    }
    download("poolscope_pictures.zip", zip(files), "application/zip")
  } finally {
    Object.assign(button, { textContent: label, disabled: false })
  }
})

// The bytes of a zip with these files, (name, text), uncompressed.
function zip(files) {
  const bytes = new TextEncoder(), contents = [], directory = []
  let offset = 0
  for (const [name, text] of files) {
    const path = bytes.encode(name), data = bytes.encode(text)
    const about = littleEndian(
      [20, 2], [0x800, 2], [0, 2], // version 2.0, names in UTF-8, stored
      [0, 2], [0x21, 2], // 1 January 1980, so that the same pictures are the same file
      [crc32(data), 4], [data.length, 4], [data.length, 4], [path.length, 2], [0, 2],
    )
    contents.push(littleEndian([0x04034b50, 4]), about, path, data)
    directory.push(
      littleEndian([0x02014b50, 4], [20, 2]), about, littleEndian([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), path,
    )
    offset += 4 + about.length + path.length + data.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = littleEndian(
    [0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2],
  )
  return new Blob([...contents, ...directory, end])
}

// The bytes of numbers, (number, how many bytes).
function littleEndian(...numbers) {
  return Uint8Array.from(numbers.flatMap(([number, n]) => Array.from({ length: n }, (_, i) => (number >>> (8 * i)) & 255)))
}

function crc32(data) {
  let sum = ~0
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}
