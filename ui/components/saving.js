// Save a figure for a paper or a slide, or copy it; put before plotly_component.js and depth_slider*.js.
// A figure is drawn anew for each width, somewhat wider than it is printed, so that its letters are those of a caption.
const DPI = 300, INCH = 96, MM = INCH / 25.4 // pixels of a page per inch and per mm
const DOTS = DPI / INCH // of a PNG, per pixel
const FORMATS_TO_SAVE = [
  ["a column (85 mm)", "column", 85 * MM, null, 1.5], ["a page (170 mm)", "page", 170 * MM, null, 1.25],
  ["a slide (16:9)", "slide", 1280, 720, 1],
] // label, in the file's name, width and height in pixels, and how much larger it is drawn

// Ask for a width and a format. draw : ({ wide, tall, format, dots }) => a promise of a data URL; name : of the file
function askHowToSave(draw, name) {
  const asked = document.createElement("dialog"), form = document.createElement("form")
  asked.className = "how-to-save"
  asked.setAttribute("aria-label", "Save the figure")
  const button = (text, click) => {
    const one = document.createElement("button")
    Object.assign(one, { type: "button", textContent: text })
    one.onclick = async () => {
      try { await click() } catch { said.textContent = "The browser did not allow this."; return }
      asked.close()
    }
    form.append(one)
  }
  const said = document.createElement("p")
  said.setAttribute("role", "status")
  for (const [label, short, wide, tall, larger] of FORMATS_TO_SAVE)
    for (const format of ["svg", "png"])
      button(`${format.toUpperCase()}, ${label}`, async () => {
        const url = await draw({ wide: Math.round(wide * larger), tall, format, dots: format === "png" ? DOTS / larger : 1 })
        download(format === "png" ? atDpi(bytesOf(url)) : smaller(bytesOf(url), larger), `${name}_${short}.${format}`, format)
      })
  button("Copy as PNG", () => copy(draw({ wide: Math.round(170 * MM * 1.25), tall: null, format: "png", dots: DOTS / 1.25 })))
  button("Cancel", () => {})
  asked.onclose = () => asked.remove()
  asked.append(form, said)
  document.body.append(asked)
  asked.showModal()
}

// An SVG (bytes) that is shown so many times smaller.
function smaller(svg, times) {
  const text = new TextDecoder().decode(svg), end = text.indexOf(">") + 1
  const size = (_, name, pixels) => ` ${name}="${+(pixels / times).toFixed(2)}"`
  return new TextEncoder().encode(text.slice(0, end).replace(/ (width|height)="([\d.]+)(?:px)?"/g, size) + text.slice(end))
}

// Put a PNG on the clipboard. picture : a promise of its data URL
function copy(picture) {
  const blob = picture.then((url) => new Blob([atDpi(bytesOf(url))], { type: "image/png" }))
  return navigator.clipboard.write([new ClipboardItem({ "image/png": blob })])
}

function download(bytes, name, format) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([bytes], { type: format === "png" ? "image/png" : "image/svg+xml" }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function bytesOf(url) {
  const [head, text] = [url.slice(0, url.indexOf(",")), url.slice(url.indexOf(",") + 1)]
  if (!head.endsWith(";base64")) return new TextEncoder().encode(decodeURIComponent(text))
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

// The SVG of a text as a PNG, as a promise of a data URL.
async function rasterised(svg, wide, tall, dots) {
  const picture = new Image(), canvas = document.createElement("canvas")
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await picture.decode()
  Object.assign(canvas, { width: Math.round(wide * dots), height: Math.round(tall * dots) })
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL("image/png")
}

// A PNG that says its resolution, so that it has the right width in a document: chunk pHYs after the header.
function atDpi(png) {
  const HEADER = 33, chunk = new DataView(new ArrayBuffer(21)), perMetre = Math.round(DPI / 0.0254)
  chunk.setUint32(0, 9)
  for (const [i, letter] of [..."pHYs"].entries()) chunk.setUint8(4 + i, letter.charCodeAt(0))
  chunk.setUint32(8, perMetre)
  chunk.setUint32(12, perMetre)
  chunk.setUint8(16, 1) // dots per metre
  let crc = -1
  for (let i = 4; i < 17; i++) {
    crc ^= chunk.getUint8(i)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  chunk.setUint32(17, ~crc >>> 0)
  const whole = new Uint8Array(png.length + 21)
  whole.set(png.subarray(0, HEADER))
  whole.set(new Uint8Array(chunk.buffer), HEADER)
  whole.set(png.subarray(HEADER), HEADER + 21)
  return whole
}
