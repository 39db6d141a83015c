// Every system's interval at the pool depth under the slider. All depths arrive once; a move of the slider only
// redraws, and its release tells Python. The host counts what is wanted and what is drawn, as a picture's place does
// (plotly_component.js). The picture is not one of Plotly's, which takes 23 ms or more for a step with 143 systems.

const END = 1000, DEEPEST = 950 // places along the slider: its end for all judgments, and the deepest pool before it
const ACTS = ["click", "keydown"], LEAVING = /^(Escape|Page)/ // what the visitor does, and keys that change the page
const SENT = 100 // milliseconds; Streamlit sends a depth within 20, and another page is asked for only after that
const STILL = 160 // milliseconds without a move, after which the depth is sent

export default function (component) {
  const { parentElement: root, data } = component
  const live = (root.live ??= begin(root))
  live.send = (stage) => component.setStateValue("stage", stage)
  const drawnAs = JSON.stringify([data.key, data.shown, data.rows, data.hidden, data.pinned])
  if (live.drawnAs !== drawnAs) show(live, data)
  live.drawnAs = drawnAs
  return live.close
}

// The state of one figure: its data, the place `at` of the depth among the stages, the systems in focus and under the
// pointer, and what is under way (0 = nothing): a frame to draw, a timer until the depth is sent, and a frame of Play.
function begin(root) {
  const part = (name) => root.querySelector("." + name)
  const live = {
    root, part, host: root.host ?? root, svg: part("picture"), slider: part("slider"),
    data: null, at: 0, focus: null, hover: null, wide: 0, frame: 0, timer: 0, playing: 0,
  }
  followSlider(live)
  followPicture(live)
  followButtons(live)
  const leave = (event) => stopBefore(event, live)
  for (const act of ACTS) addEventListener(act, leave, true)
  const watch = new ResizeObserver(() => {
    if (live.data && live.svg.clientWidth && live.svg.clientWidth !== live.wide) {
      live.wide = live.svg.clientWidth
      build(live)
    }
  })
  watch.observe(live.svg)
  live.close = () => {
    for (const act of ACTS) removeEventListener(act, leave, true)
    watch.disconnect()
    clearTimeout(live.timer)
    cancelAnimationFrame(live.playing)
    cancelAnimationFrame(live.frame)
  }
  return live
}

// ---- What is shown

// Show other data, or the same in another size: then the depth stays, while it plays, too.
function show(live, data) {
  const { part, root, slider } = live, focused = live.data?.systems[live.focus]
  if (live.data) stop(live)
  if (live.data?.key !== data.key) live.at = data.start
  const found = data.systems.indexOf(focused)
  Object.assign(live, { data, along: placesAlong(data.stages), focus: found < 0 ? null : found })
  part("live").dataset.shown = data.shown
  slider.value = live.along[live.at]
  part("ticks").replaceChildren(...ticks(data.stages, live.along))
  part("dot-name").textContent = data.dot
  part("truth-name").textContent = data.truth?.name ?? ""
  const parts = {
    truth: data.truth, "truth-said": data.truth, "by-all": !data.truth && !data.interval, bounded: data.interval,
    unbounded: !data.interval, "past-end": data.pastEnd,
  }
  for (const [name, isShown] of Object.entries(parts))
    for (const node of root.querySelectorAll("." + name)) node.hidden = !isShown
  build(live)
}

// Draw the picture as wide as its place is now.
function build(live) {
  const { svg, data } = live
  live.sizes = sizesOf(svg, data)
  live.leader = drawAxis(svg, data, live.sizes)
  live.rows = data.systems.map((_, i) => makeRow(svg, data, i, live.sizes))
  draw(live)
}

function redraw(live) {
  live.host.dataset.wanted = 1 + Number(live.host.dataset.wanted ?? 0)
  live.frame ||= requestAnimationFrame(() => draw(live))
}

// Everything at the depth of the slider.
function draw(live) {
  const { data, at, rows, sizes, svg, slider } = live
  live.frame = 0
  live.order = orderAt(data, at)
  const offered = live.order.filter((i) => !data.hidden.includes(i))
  live.seen = someOf(offered, sizes.drawn, live.focus, data, at)
  for (const { row } of rows) row.style.display = "none"
  live.seen.forEach((i, place) => {
    const { row, jump, setRank } = rows[i]
    drawRow(rows[i], data, at, i, TOP + place * sizes.step, sizes.scale)
    setRank(1 + live.order.indexOf(i))
    jump.style.display = place && offered[offered.indexOf(i) - 1] !== live.seen[place - 1] ? "" : "none"
    row.classList.toggle("focus", i === live.focus)
    row.classList.toggle("hover", i === live.hover)
    row.classList.toggle("aside", !isSought(live, i))
  })
  const lowest = data.lower[at][live.order[0]] ?? null
  live.leader.style.display = lowest === null ? "none" : ""
  setUpright(live.leader, sizes.scale(lowest ?? 0))
  svg.classList.toggle("unmarked", data.truth?.unmarked === at)
  if (!live.dragged) slider.value = live.along[at]
  say(live)
  live.host.dataset.drawn = live.host.dataset.wanted ??= 0
}

// The finding, numbers and labels at the depth of the slider.
function say(live) {
  const { data, at, part } = live, exact = data.findings[at], [headline, detail] = data.exact ? exact : data.plain[at]
  const swapped = data.truth?.findings[at].join(" ") ?? ""
  part("headline").textContent = headline
  part("detail").textContent = detail
  part("truth-said").textContent = swapped
  part("stage").textContent = data.stages[at] // short, or the controls would wrap
  part("readout").textContent = readout(live)
  part("tiles").replaceChildren(...data.tiles[at].map(tile))
  live.slider.setAttribute("aria-valuetext", data.labels[at])
  live.svg.setAttribute("aria-label", `${exact.join(" ")} ${swapped}`.trim())
}

// The row under the pointer or in focus in words; else the names that contain what is looked for.
function readout(live) {
  const { data, order } = live, i = live.hover ?? live.focus
  if (i !== null) return aboutSystem(data, live.at, i)
  if (!soughtName(live)) return "Point at a row to read it; click it to keep it in focus."
  const found = order.filter((j) => isSought(live, j)), more = found.length - 8
  const names = found.slice(0, 8).map((j) => `${data.systems[j]} (rank ${1 + order.indexOf(j)})`)
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "") || "No system name contains this text."
}

function aboutSystem(data, at, i) {
  const value = data.value[at][i], lower = data.lower[at][i], upper = data.upper[at][i], { truth } = data
  const ranked = (score, rank) => `${decimal(score, 3)}, rank ${rank}`
  let text = `${data.systems[i]}${data.pooled[i] ? "" : " (did not contribute)"}: `
  text += value === null ? "no score" : ranked(value, data.place[at][i])
  if (lower !== null && upper !== null) {
    const best = data.best[at][i], worst = data.worst[at][i]
    const low = decimal(10 * Math.floor(lower / 10), 3), high = decimal(10 * Math.ceil(upper / 10), 3)
    text += low === high ? "; exact" : `; possible: ${low}–${high}`
    text += best === worst ? "" : `, ranks ${best}–${worst}`
  } else if (value !== null && at < data.stages.length - 1 && !truth)
    text += `; with all judgments ${ranked(data.value.at(-1)[i], data.place.at(-1)[i])}`
  if (truth && truth.at[i] !== null) text += `; ${truth.name} ${ranked(truth.at[i], truth.place[i])}`
  return text
}

const soughtName = ({ part }) => part("find").value.trim().toLowerCase()

function isSought(live, i) {
  return live.data.systems[i].toLowerCase().includes(soughtName(live))
}

// A number with its label; the title explains it.
function tile([label, value, meaning]) {
  const [whole, name, number] = ["div", "dt", "dd"].map((kind) => document.createElement(kind))
  whole.title = meaning
  name.textContent = label
  number.textContent = value
  whole.append(name, number)
  return whole
}

// ---- The slider and Play

// Positions of the stages along the slider: the logarithm of the depth; all judgments at the end.
function placesAlong(stages) {
  const isDepth = (stage) => typeof stage === "number", depths = stages.filter(isDepth)
  const first = Math.log(Math.max(1, Math.min(...depths))), deepest = Math.log(Math.max(...depths, 2))
  const range = Math.max(deepest - first, 1e-9)
  const reach = depths.length < stages.length ? DEEPEST : END
  return stages.map((stage) => (isDepth(stage) ? (reach * (Math.log(stage) - first)) / range : END))
}

// The marks below the slider: both ends, and as many round depths between them as have room.
function ticks(stages, along) {
  const last = stages.length - 1
  let taken = -Infinity
  return stages.flatMap((stage, i) => {
    const isRound = /^[125]0*$/.test(stage), hasRoom = along[i] - taken >= 55 && END - along[i] >= 75
    if (i !== last && !((isRound || i === 0) && hasRoom)) return []
    taken = along[i]
    const tick = document.createElement("span")
    tick.textContent = stage
    tick.style.left = `calc(0.55rem + (100% - 1.1rem) * ${along[i] / END})`
    return [tick]
  })
}

function nearest(place, along) {
  return along.reduce((best, at, i) => (Math.abs(at - place) <= Math.abs(along[best] - place) ? i : best), 0)
}

function followSlider(live) {
  const { slider } = live
  slider.addEventListener("input", () => {
    pause(live)
    live.dragged = true // the thumb stays under the pointer until it is let go
    move(live, nearest(Number(slider.value), live.along))
  })
  slider.addEventListener("change", () => {
    live.dragged = false
    redraw(live)
    release(live)
  })
  slider.addEventListener("keydown", (event) => {
    const { at } = live, next = at + 1, before = at - 1, last = live.data.stages.length - 1
    const keys = { ArrowRight: next, ArrowUp: next, ArrowLeft: before, ArrowDown: before, Home: 0, End: last }
    const to = keys[event.key]
    if (event.key.startsWith("Page")) handOn(event)
    if (to === undefined) return
    event.preventDefault()
    pause(live)
    move(live, Math.max(0, Math.min(last, to)))
    release(live)
  })
}

function move(live, at) {
  live.at = at
  redraw(live)
}

// Send the depth, once the slider is still.
function release(live) {
  clearTimeout(live.timer)
  live.timer = setTimeout(() => settle(live), STILL)
}

function settle(live) {
  clearTimeout(live.timer)
  live.timer = 0
  live.send(live.data.stages[live.at])
}

// Slow where the pool is shallow: evenly along the slider, whose places are logarithms.
function play(live) {
  const { along, part } = live, last = along.length - 1
  if (live.at >= last) move(live, 0)
  let before = performance.now(), place = along[live.at]
  const step = (now) => {
    place += (END * (now - before)) / (1000 * part("speed").value)
    before = now
    if (nearest(place, along) > live.at) move(live, nearest(place, along))
    if (live.at >= last) return pause(live)
    live.playing = requestAnimationFrame(step)
  }
  live.playing = requestAnimationFrame(step)
  labelPlay(live, "❚❚ Pause")
}

function pause(live) {
  if (!live.playing) return
  cancelAnimationFrame(live.playing)
  live.playing = 0
  release(live)
  labelPlay(live, "▶ Play")
}

function labelPlay({ part, playing }, label) {
  part("play").textContent = label
  part("play").setAttribute("aria-pressed", String(!!playing))
}

// Where it is, in the page, too, before anything else of it changes.
function stop(live) {
  pause(live)
  if (live.timer) settle(live)
}

// Stop before what leaves the page: a key, or a control elsewhere. A link is followed after the depth is sent.
function stopBefore(event, live) {
  if (!live.playing && !live.timer) return
  if (event.type === "keydown") {
    if (LEAVING.test(event.key)) stop(live)
    return
  }
  const control = event.target.closest?.("a, button, input, label, [role]")
  if (!control || event.composedPath().includes(live.root)) return
  stop(live)
  if (!control.href || control.target === "_blank" || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  event.stopImmediatePropagation()
  setTimeout(() => control.click(), SENT)
}

// ---- The picture, the search and the buttons

function followPicture(live) {
  const { svg } = live
  const rowAt = ({ clientY }) => {
    const below = clientY - svg.getBoundingClientRect().top - TOP
    return live.seen[Math.floor(below / live.sizes.step)] ?? null
  }
  const point = (i) => {
    if (i === live.hover) return
    live.hover = i
    redraw(live)
  }
  const focus = (i) => {
    live.focus = i
    redraw(live)
  }
  svg.addEventListener("pointermove", (event) => point(rowAt(event)))
  svg.addEventListener("pointerleave", () => point(null))
  svg.addEventListener("click", (event) => focus(rowAt(event) === live.focus ? null : rowAt(event)))
  svg.addEventListener("keydown", (event) => {
    const { order } = live, by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key !== "Escape" && !by) return
    const place = live.focus === null ? -1 : order.indexOf(live.focus)
    event.preventDefault()
    focus(by ? order[Math.max(0, Math.min(order.length - 1, place + by))] : null)
  })
  live.part("find").addEventListener("input", () => redraw(live))
  live.part("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") focus(live.order.find((i) => isSought(live, i)) ?? null)
  })
}

function followButtons(live) {
  const { part, svg } = live, name = () => `pool_depth_${live.data.stages[live.at]}`
  part("play").addEventListener("click", () => (live.playing ? pause(live) : play(live)))
  part("save").addEventListener("click", () => download(onPaper(svg, live.data, live.at).text, `${name()}.svg`))
  part("on-paper").addEventListener("click", () => askHowToSave((how) => savedAs(live, how), name()))
}

// The picture drawn for another width, as a promise of a data URL.
function savedAs(live, { wide, format, dots }) {
  const { style } = live.part("live"), before = style.width
  style.width = `${wide}px`
  build(live)
  const { text, width, height } = onPaper(live.svg, live.data, live.at)
  style.width = before
  build(live)
  if (format === "png") return rasterised(text, width, height, dots)
  return Promise.resolve(`data:image/svg+xml,${encodeURIComponent(text)}`)
}
