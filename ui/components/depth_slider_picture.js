// The picture of depth_slider.js: one row for each system at the depth of the slider. Names come from files: they are
// only ever set as textContent. `data` is the payload of depth_slider.py, `at` the place of the depth among its stages,
// `i` that of a system among its systems.

const SVG = "http://www.w3.org/2000/svg"
const UNIT = 10000 // scores arrive as whole numbers of 1/10000
const TALL = 680, TOP = 6, FOOT = 40 // pixels: all rows on a page, and the room above and below them
const FEWEST = 10, MOST = 15 // rows before an audience, as many as the window has room for
const READABLE = 40 // rows in large text
const GLIDING = 60 // rows; more glide too slowly to follow a drag

// A part of a picture, at the end of another (null = of none yet).
function element(name, attributes, into, text = "") {
  const node = document.createElementNS(SVG, name)
  setAttributes(node, attributes)
  node.textContent = text
  into?.append(node)
  return node
}

function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
}

// Measures of the picture: rows that are drawn, pixels, letters of a name that fit, and where along a row a score is.
function sizesOf(svg, data) {
  const systems = data.systems.length - data.hidden.length, { drawn, step } = rowsThatFit(systems, svg, data)
  const wide = svg.clientWidth || 900, big = data.shown !== "page"
  const named = step >= 12, ranked = drawn < data.systems.length // whether rows have a name, and their rank before it
  const size = Math.max(9, Math.min(big ? 19 : 15, step - 1.5)), letter = size * 0.56
  const ofRank = ranked ? 5 : 0, ofPins = Object.keys(data.pinned).length ? 2 : 0 // letters before a name
  const longest = Math.max(...data.systems.map((name) => Array.from(name).length)) + ofRank + ofPins
  const widest = Math.min(big ? 320 : 230, wide * (big || wide < 500 ? 0.34 : 0.24))
  const gutter = named ? Math.min(widest, 24 + longest * letter) : 46
  return {
    systems, drawn, step, wide, gutter, size, named, ranked,
    tall: Math.max(step * drawn, 60),
    bar: Math.max(2, step * 0.62),
    labels: named ? distinct(data.systems, Math.floor((gutter - 14) / letter) - ofRank - ofPins) : [],
    scale: (score) => gutter + (score / data.most) * (wide - gutter - 14),
  }
}

// How many rows are drawn, and how tall each is.
function rowsThatFit(systems, svg, { shown, rows }) {
  if (shown === "present") {
    const room = innerHeight - Math.max(0, svg.getBoundingClientRect().top + scrolled(svg)) - TOP - FOOT - 16
    const drawn = Math.min(systems, Math.max(FEWEST, Math.min(MOST, Math.floor(room / 30))))
    return { drawn, step: Math.max(20, Math.min(44, room / drawn)) }
  }
  const drawn = Math.min(systems, rows ?? systems, shown === "large" ? READABLE : systems)
  return { drawn, step: shown === "large" ? 24 : Math.min(26, TALL / drawn) }
}

function scrolled(svg) {
  let node = svg.getRootNode().host ?? svg
  while (node && !node.scrollTop) node = node.parentElement
  return node?.scrollTop ?? 0
}

// Draw the axis in place of what was drawn. -> the line of the leader's lower bound
function drawAxis(svg, data, { systems, drawn, step, wide, tall, gutter, named, ranked, scale }) {
  svg.replaceChildren()
  setAttributes(svg, { viewBox: `0 0 ${wide} ${TOP + tall + FOOT}`, height: TOP + tall + FOOT })
  svg.classList.toggle("gliding", systems <= GLIDING)
  const space = data.most / UNIT
  const tick = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((t) => space / t <= 8) ?? 1
  for (let i = 0; i * tick <= space + 1e-9; i++) {
    const score = i * tick * UNIT, x = scale(score)
    element("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: TOP + tall }, svg)
    element("text", { class: "tick", x, y: TOP + tall + 16 }, svg, decimal(score, tick < 0.1 ? 2 : 1))
  }
  const title = `score (${data.measure})` + (ranked ? ` · ${drawn} of ${data.systems.length} systems` : "")
  element("text", { class: "title", x: scale(data.most / 2), y: TOP + tall + 34 }, svg, title)
  for (let place = named ? Infinity : 1; place <= systems; place += place === 1 ? 9 : 10)
    element("text", { class: "place", x: gutter - 8, y: TOP + (place - 0.5) * step }, svg, place)
  return element("line", { class: "leader", y1: TOP, y2: TOP + tall }, svg)
}

// The row of a system, without what changes with the depth. -> its parts by name
function makeRow(svg, data, i, { step, wide, bar, gutter, size, named, ranked, labels, scale }) {
  const row = element("g", { class: data.pooled[i] ? "row" : "row outside" }, svg), middle = step / 2
  const upright = { y1: middle - bar / 2, y2: middle + bar / 2 }, radius = Math.max(1.6, Math.min(5, step * 0.36))
  const parts = {
    row,
    past: element("rect", { class: "past", y: middle - bar / 4, height: bar / 2 }, row),
    known: element("rect", { class: "known", y: middle - bar / 2, height: bar }, row),
    open: element("rect", { class: "open", y: middle - bar / 2, height: bar }, row),
    tail: data.interval ? null : element("line", { class: "tail", y1: middle, y2: middle }, row),
    final: data.interval || data.truth ? null : element("line", { class: "final", ...upright }, row),
    dot: element("circle", { class: "dot", cy: middle, r: radius }, row),
    jump: element("line", { class: "jump", x1: gutter, x2: wide - 14, y1: 0, y2: 0 }, row),
  }
  const truth = data.truth?.at[i] ?? null, mark = data.pinned[i]
  if (truth !== null) // it stays while the depth moves
    element("rect", { class: "truth", x: scale(truth) - 2, y: middle - bar / 2 - 2, width: 4, height: bar + 4 }, row)
  if (mark) element("rect", { class: "pin", x: 1, y: 0, width: wide - 2, height: step }, row)
  const name = (mark ? `${mark} ` : "") + (labels[i] ?? "")
  const text = name && element("text", { class: "name", x: gutter - 8, y: middle, "font-size": size }, row, name)
  parts.setRank = (rank) => { if (named && ranked) text.textContent = `${rank}  ${name}` }
  parts.setRank("")
  return parts
}

// The scores of a system at a depth, at the place of its row.
function drawRow({ row, known, open, past, tail, final, dot }, data, at, i, top, scale) {
  const value = data.value[at][i], low = data.lower[at][i] ?? 0
  const high = data.upper[at][i] ?? low, listed = data.upper_listed[at][i] ?? high
  const reach = (bar, from, to) => setAttributes(bar, { x: scale(from), width: Math.max(0, scale(to) - scale(from)) })
  row.style.display = ""
  row.style.transform = `translateY(${top}px)`
  reach(known, 0, low)
  reach(open, low, listed)
  reach(past, listed, high)
  if (tail) setAttributes(tail, { x1: scale(data.value[0][i] ?? value ?? 0), x2: scale(value ?? 0) })
  if (final) setUpright(final, scale(data.value.at(-1)[i] ?? 0))
  dot.setAttribute("cx", scale(value ?? 0))
  dot.style.display = value === null ? "none" : ""
}

function setUpright(line, x) {
  setAttributes(line, { x1: x, x2: x })
}

// The systems by score at a depth, those without one last.
function orderAt(data, at) {
  const place = data.place[at], last = data.systems.length + 1
  return data.systems.map((_, i) => i).sort((a, b) => (place[a] ?? last) - (place[b] ?? last) || a - b)
}

// Where not all rows fit: the first of the ordering, pinned ones, some that could still be first, and the one in focus
// with those around it.
function someOf(order, drawn, focus, data, at) {
  if (order.length <= drawn) return order
  const place = focus === null ? -1 : order.indexOf(focus)
  const around = place < drawn - 2 ? [] : order.slice(place - 2, place + 3)
  const rivals = data.rivals[at].slice(0, Math.floor(drawn / 2))
  const always = order.filter((i) => around.includes(i) || i in data.pinned || rivals.includes(i))
  const first = order.filter((i) => !always.includes(i)).slice(0, drawn - always.length)
  return order.filter((i) => always.includes(i) || first.includes(i))
}

function decimal(units, digits) {
  return units === 0 ? "0" : (units / UNIT).toFixed(digits).replace(/^0(?=\.)/, "")
}

// Names that fit into so many letters, shortened in the middle; those that would look the same keep where they part.
function distinct(names, longest) {
  const cut = names.map((name) => shorten(name, longest)), alike = new Map()
  names.forEach((name, i) => alike.set(cut[i], (alike.get(cut[i]) ?? new Set()).add(name)))
  return names.map((name, i) => alike.get(cut[i]).size > 1 ? whereTheyPart(name, [...alike.get(cut[i])], longest) : cut[i])
}

function whereTheyPart(name, alike, longest) {
  const spelt = alike.map((one) => Array.from(one)), letters = Array.from(name), head = Math.floor(longest / 3)
  const same = spelt[0].findIndex((letter, at) => spelt.some((other) => other[at] !== letter))
  const from = Math.max(head, same < 0 ? spelt[0].length : same)
  return letters.slice(0, head).join("") + "…" + shorten(letters.slice(from).join(""), longest - head - 1)
}

function shorten(name, longest) {
  const letters = Array.from(name)
  if (letters.length <= longest) return name
  const head = Math.floor(((longest - 1) * 2) / 3)
  return letters.slice(0, head).join("") + "…" + letters.slice(head + 1 - longest).join("")
}
