// A picture: drawn when it becomes visible, and updated in place when its figure changes, so that zoom is kept. Its place
// counts what is wanted and what is drawn (data-wanted, data-drawn), so that a program can see whether it is up to date.

const NARROW = 450 // pixels
const LEGEND = 140 // height of legend and axis around a square on a phone
const TALL = "400px" // distance below the screen at which a picture is drawn
const pictures = new Set() // every picture of the page
const state = new WeakMap() // a picture -> {json, figure, drawn, inSight, pick}
const CORNERS = "M0 0h6v2H2v4H0z M10 0h6v6h-2V2h-4z M0 10h2v4h4v2H0z M14 10h2v6h-6v-2h4z"
const PAGE = "M2 0h8l4 4v12H2z M4 2v12h8V5H9V2z"
const SCHEMES = COLOURS // colour -> [light, dark], see ui/theme.py
const INK = "#1B2733", PAPER = "#FFFFFF", FONT = "Arial, sans-serif" // of a saved picture, which others open
let tools // shared objects: Plotly redraws if the object of a button changes

export default function ({ parentElement: root, data, setTriggerValue }) {
  const place = root.querySelector(".plot"), now = state.get(place) ?? begin(place)
  now.pick = (name) => setTriggerValue("picked", name)
  const json = new TextDecoder().decode(data)
  if (now.json !== json) {
    Object.assign(now, { json }, coloured(place, json))
    const { xaxis, yaxis } = now.figure.layout
    now.axes = JSON.stringify([xaxis?.title, yaxis?.title]) // zoom is kept while these are unchanged
    place.style.height = `${tall(place)}px`
    place.setAttribute("role", "figure")
    place.setAttribute("aria-label", now.alt)
    want(place)
  }
  return () => setTimeout(() => place.isConnected || end(place))
}

// A picture in the colours of the current scheme: Python is not notified of a change.
function coloured(place, json) {
  const isDark = getComputedStyle(place).colorScheme === "dark"
  return JSON.parse(json.replace(/"(#[0-9A-F]{6})"/g, (_, colour) => `"${SCHEMES[colour]?.[+isDark] ?? colour}"`))
}

function recolour({ target: place, propertyName }) {
  const now = state.get(place)
  if (propertyName !== "color" || !now) return
  Object.assign(now, coloured(place, now.json))
  want(place)
}

function begin(place) {
  const now = { drawn: false, inSight: false }
  place.addEventListener("transitionend", recolour) // of the colour of its text, in plotly_component.css
  state.set(place, now)
  pictures.add(place)
  sight.observe(place)
  size.observe(place)
  return now
}

function end(place) {
  pictures.delete(place)
  sight.unobserve(place)
  place.removeEventListener("transitionend", recolour)
  size.unobserve(place)
  if (state.get(place)?.listens) window.Plotly.purge(place)
  state.delete(place) // if it comes back, it starts again
}

const sight = new IntersectionObserver((seen) => {
  for (const { target: place, isIntersecting } of seen) {
    if (!pictures.has(place)) continue
    state.get(place).inSight = isIntersecting
    queue(place)
  }
}, { rootMargin: TALL, scrollMargin: TALL })

const size = new ResizeObserver((changed) => {
  for (const { target: place } of changed) {
    const now = state.get(place)
    if (!now || !place.clientWidth || now.width === place.clientWidth && now.tall === tall(place)) continue
    want(place)
  }
})

addEventListener("beforeprint", () => { for (const place of pictures) draw(place) })

// Draw a picture again, once it is in sight.
function want(place) {
  state.get(place).drawn = false
  place.dataset.wanted = 1 + Number(place.dataset.wanted ?? 0)
  queue(place)
}

// Draw one after the other, so that the browser shows each. If one cannot be drawn, its description is shown.
let last = Promise.resolve()
function queue(place) {
  last = last.then(library).then(() => new Promise((next) => setTimeout(next)))
    .then(() => pictures.has(place) && state.get(place).inSight && draw(place))
    .catch(() => {
      if (!pictures.has(place)) return
      const now = state.get(place)
      if (!now.listens) place.textContent = now.alt
      if (!now.drawn) tryAgain() // the library could not be loaded
    })
}

// After the library is loaded nothing scrolls, so nothing else triggers drawing.
let pause = 1000, waits = false // milliseconds
function tryAgain() {
  if (waits) return
  waits = true
  setTimeout(() => {
    waits = false
    for (const place of pictures) queue(place)
  }, pause)
  pause = Math.min(2 * pause, 60_000)
}

function draw(place) {
  const now = state.get(place)
  if (now.drawn || !window.Plotly || !place.isConnected || !place.clientWidth) return
  Object.assign(now, { drawn: true, wanted: place.dataset.wanted, width: place.clientWidth, tall: tall(place) })
  if (document.fullscreenElement !== place) place.style.height = `${now.tall}px`
  if (!now.listens) place.textContent = "" // its description
  const { data, layout } = now.figure
  const drawn = {
    ...layout, ...(now.width < NARROW ? narrow(layout, now.width) : {}), width: now.width, height: now.tall, template: template(place), uirevision: now.axes,
    legend: { ...layout.legend, uirevision: JSON.stringify(data.map((trace) => trace.name)) },
    clickmode: now.picks ? "event+select" : "event",
  }
  tools ??= [
    { name: "Save as SVG", icon: window.Plotly.Icons.camera, click: (place) => save(place, "svg") },
    { name: "Save as PNG", icon: window.Plotly.Icons.disk, click: (place) => save(place, "png") },
    {
      name: "Copy, or save for a paper or slide", icon: { width: 16, height: 16, path: PAGE },
      click: (place) => askHowToSave((how) => paper(place, how), state.get(place).config.toImageButtonOptions.filename),
    },
    {
      name: "Fullscreen", icon: { width: 16, height: 16, path: CORNERS },
      click: (place) => { document.fullscreenElement ? document.exitFullscreen() : place.requestFullscreen() },
    },
  ]
  const modeBarButtonsToRemove = [...now.config.modeBarButtonsToRemove, "toImage"]
  window.Plotly.react(place, data, drawn, { ...now.config, modeBarButtonsToRemove, modeBarButtonsToAdd: tools })
  if (now.listens) return
  now.listens = true
  place.on("plotly_afterplot", () => {
    withoutZeros(place)
    place.dataset.drawn = now.wanted
  })
  place.on("plotly_click", ({ points }) => {
    const name = points[0]?.customdata
    if (state.get(place).picks && name !== undefined) state.get(place).pick(String(name))
  })
}

// Numbers at axes and bars as everywhere else: .5, not 0.5. No format of the library writes them so.
function withoutZeros(place) {
  for (const number of place.querySelectorAll("g[class$=tick] text, .bartext"))
    if (/^[-−]?0\.\d/.test(number.textContent)) number.textContent = number.textContent.replace("0.", ".")
}

// A picture as it is zoomed, in light colours, whatever the scheme of the page.
function onPaper(place) {
  const { data, layout } = light({ data: place.data, layout: place.layout })
  Object.assign(layout, { paper_bgcolor: PAPER, plot_bgcolor: PAPER, font: { ...layout.font, color: INK, family: FONT } })
  return { data, layout }
}

// The same of another width, as a promise of a data URL.
function paper(place, { wide: width, tall, format, dots: scale }) {
  const { data, layout } = onPaper(place), isSquare = layout.yaxis?.scaleanchor && width < layout.width
  const height = tall ?? (isSquare ? Math.min(layout.height, width + LEGEND) : layout.height)
  Object.assign(layout, width < NARROW ? narrow(layout, width) : {}, { width, height })
  return window.Plotly.toImage({ data, layout }, { format, width, height, scale })
}

// Save a picture as it is shown. A PNG has three dots per pixel.
function save(place, format) {
  const { data, layout } = onPaper(place), { width, height } = layout
  const { filename } = state.get(place).config.toImageButtonOptions, scale = format === "png" ? 3 : 1
  window.Plotly.downloadImage({ data, layout }, { format, filename, width, height, scale })
}

// A part of a figure in light colours.
function light(part) {
  if (typeof part === "string") return SCHEMES[part]?.[0] ?? part
  if (Array.isArray(part)) return part.map(light)
  if (!part || typeof part !== "object" || ArrayBuffer.isView(part)) return part
  return Object.fromEntries(Object.entries(part).map(([name, inside]) => [name, light(inside)]))
}

// Labels for a narrow picture: smaller names at both sides, every other name below, and as many numbers as fit.
function narrow({ xaxis, yaxis, yaxis2 }, width) {
  const small = (axis) => ({ ...axis, tickfont: { ...axis.tickfont, size: Math.min(11, axis.tickfont.size) } })
  const some = (all) => all.filter((_, place) => place % 2 === 0)
  return {
    ...(xaxis && !xaxis.tickvals && !xaxis.type ? { xaxis: { ...xaxis, nticks: Math.min(xaxis.nticks ?? 9, Math.max(2, Math.floor(width / 75))) } } : {}),
    ...(yaxis2?.side === "right" ? { yaxis: small(yaxis), yaxis2: small(yaxis2) } : {}),
    ...(xaxis?.exponentformat === "power" ? { xaxis: { ...xaxis, dtick: xaxis.dtick * 2 } } : {}),
    ...(xaxis?.ticktext?.length > 13 ? { xaxis: { ...xaxis, tickvals: some(xaxis.tickvals), ticktext: some(xaxis.ticktext) } } : {}),
  }
}

function tall(place) {
  if (document.fullscreenElement === place) return innerHeight
  const { height, yaxis } = state.get(place).figure.layout, isSquare = yaxis?.scaleanchor && place.clientWidth < NARROW
  return isSquare ? Math.min(height, place.clientWidth + LEGEND) : height
}

// Defaults from the page's theme for a figure.
function template(place) {
  const of = getComputedStyle(place), theme = (name) => of.getPropertyValue(`--st-${name}`).trim()
  const text = theme("text-color"), line = theme("border-color"), family = theme("font")
  const axis = { automargin: true, zerolinecolor: line, tickcolor: line }
  return {
    data: { scatter: [{ type: "scatter", marker: { line: { width: 0 } } }] },
    layout: {
      font: { color: text, family },
      hoverlabel: { bgcolor: theme("background-color"), bordercolor: line, font: { color: text, family } },
      modebar: { bgcolor: theme("background-color"), color: theme("gray-color"), activecolor: text },
      margin: { pad: 8, l: 0, r: 0 },
      xaxis: { ...axis, showgrid: false, zeroline: false, title: { standoff: 20 } },
      yaxis: { ...axis, title: { standoff: 24 } },
    },
  }
}
