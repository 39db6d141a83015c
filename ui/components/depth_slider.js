// Every system's interval at the pool depth under the slider. All depths arrive once; a move of the slider only
// redraws, and its release tells Python. Names come from files: they are only ever set as textContent. The host counts
// what is wanted and what is drawn, as a picture's place does (plotly_component.js).

const SVG = "http://www.w3.org/2000/svg"
const TALL = 680, TOP = 6, FOOT = 40
const FEWEST = 10, MOST = 15 // rows before an audience, as many as the window has room for
const READABLE = 40 // rows in large text
const END = 1000, DEEPEST = 950 // places along the slider: its end for all judgments, and the deepest pool before it
const ACTS = ["click", "keydown"], LEAVING = /^(Escape|Page)/ // what the visitor does, and keys that change the page
const SENT = 100 // milliseconds; Streamlit sends a depth within 20, and another page is asked for only after that
const UNIT = 10000 // scores arrive as whole numbers of 1/10000

export default function (component) {
  const { parentElement: root, data } = component
  const picture = (root.live ??= begin(root))
  picture.send = (stage) => component.setStateValue("stage", stage)
  const drawn = JSON.stringify([data.key, data.shown, data.rows, data.hidden, data.pinned])
  if (picture.drawnAs !== drawn) picture.open(data)
  picture.drawnAs = drawn
  return picture.close
}

function begin(root) {
  const part = (name) => root.querySelector("." + name)
  const slider = part("slider"), svg = part("picture"), play = part("play"), host = root.host ?? root
  const p = { key: null, at: 0, focus: null, hover: null }
  let data, rows, order, seen, along, frame = 0, timer = 0, playing = 0, line, scale, gutter, step, size

  p.open = (fresh) => {
    const focused = data && p.focus !== null ? data.systems[p.focus] : null
    if (data) stop()
    if (p.key !== fresh.key) p.at = fresh.start // in another size it stays where it is, as while it plays
    data = fresh
    p.key = fresh.key
    p.focus = focused === null ? null : data.systems.indexOf(focused)
    if (p.focus < 0) p.focus = null
    root.querySelector(".live").dataset.shown = data.shown
    along = placesAlong(data.stages)
    slider.value = along[p.at]
    marks()
    part("dot-name").textContent = data.dot
    part("truth-name").textContent = data.truth?.name ?? ""
    part("truth-said").hidden = !data.truth
    const shown = { truth: !!data.truth, "by-all": !data.truth && !data.interval, bounded: data.interval, unbounded: !data.interval, "past-end": data.pastEnd }
    for (const [name, is] of Object.entries(shown)) root.querySelectorAll("." + name).forEach((node) => { node.hidden = !is })
    build()
  }

  const make = (name, attributes, into) => {
    const node = document.createElementNS(SVG, name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    into.append(node)
    return node
  }

  const marks = () => {
    const named = part("ticks")
    named.replaceChildren()
    let free = -Infinity
    data.stages.forEach((stage, i) => {
      const round = /^[125]0*$/.test(stage) || i === 0 || i === data.stages.length - 1
      const ends = i === data.stages.length - 1
      if (!round || (!ends && (along[i] - free < 55 || END - along[i] < 75))) return
      free = along[i]
      const mark = document.createElement("span")
      mark.textContent = stage
      mark.style.left = `calc(0.55rem + (100% - 1.1rem) * ${along[i] / END})`
      named.append(mark)
    })
  }

  const fitting = (n) => { // how many rows are drawn, and how tall each is
    if (data.shown === "present") {
      const room = innerHeight - Math.max(0, svg.getBoundingClientRect().top + scrolled()) - TOP - FOOT - 16
      const rows = Math.min(n, Math.max(FEWEST, Math.min(MOST, Math.floor(room / 30))))
      return [rows, Math.max(20, Math.min(44, room / rows))]
    }
    const rows = Math.min(n, data.rows ?? n, data.shown === "large" ? READABLE : n)
    return [rows, data.shown === "large" ? 24 : Math.min(26, TALL / rows)]
  }
  const scrolled = () => {
    let node = svg.getRootNode().host ?? svg
    while (node && !node.scrollTop) node = node.parentElement
    return node?.scrollTop ?? 0
  }

  const build = () => {
    const wide = svg.clientWidth || 900, n = data.systems.length - data.hidden.length
    let drawn
    ;[drawn, step] = fitting(n)
    p.drawn = drawn
    const few = drawn < data.systems.length
    const tall = Math.max(step * drawn, 60), named = step >= 12, big = data.shown !== "page"
    size = Math.max(9, Math.min(big ? 19 : 15, step - 1.5))
    const letter = size * 0.56, widest = big ? 320 : 230
    const longest = Math.max(...data.systems.map((name) => Array.from(name).length)) + (few ? 5 : 0) + (Object.keys(data.pinned).length ? 2 : 0)
    gutter = named ? Math.min(widest, wide * (big || wide < 500 ? 0.34 : 0.24), 24 + longest * letter) : 46
    scale = (value) => gutter + (value / data.most) * (wide - gutter - 14)
    svg.replaceChildren()
    svg.setAttribute("viewBox", `0 0 ${wide} ${TOP + tall + FOOT}`)
    svg.setAttribute("height", TOP + tall + FOOT)
    svg.classList.toggle("gliding", n <= 60) // more rows than that glide too slowly to follow a drag
    axis(tall)
    if (!named) places(n)
    line = make("line", { class: "leader", y1: TOP, y2: TOP + tall }, svg)
    const bar = Math.max(2, step * 0.62), fits = Math.floor((gutter - 14) / letter)
    rows = data.systems.map((name, i) => {
      const row = make("g", { class: data.pooled[i] ? "row" : "row outside" }, svg)
      const middle = step / 2
      const past = make("rect", { class: "past", y: middle - bar / 4, height: bar / 2 }, row)
      const known = make("rect", { class: "known", x: scale(0), y: middle - bar / 2, height: bar }, row)
      const open = make("rect", { class: "open", y: middle - bar / 2, height: bar }, row)
      const tail = make("line", { class: "tail", y1: middle, y2: middle }, row)
      const final = make("line", { class: "final", y1: middle - bar / 2, y2: middle + bar / 2 }, row)
      const dot = make("circle", { class: "dot", cy: middle, r: Math.max(1.6, Math.min(5, step * 0.36)) }, row)
      const truth = data.truth?.at[i] ?? null // an upright stroke; it stays while the depth moves
      if (truth !== null) make("rect", { class: "truth", x: scale(truth) - 2, y: middle - bar / 2 - 2, width: 4, height: bar + 4 }, row)
      const mark = data.pinned[i]
      if (mark) make("rect", { class: "pin", x: 1, y: 0, width: wide - 2, height: step }, row)
      const text = named || mark ? make("text", { class: "name", x: gutter - 8, y: middle, "font-size": size }, row) : null
      const before = (place) => (few && named ? `${place}  ` : "") + (mark ? `${mark} ` : "")
      const label = (place) => { if (text) text.textContent = before(place) + (named ? shorten(name, fits - (few ? 5 : 0) - (mark ? 2 : 0)) : "") }
      label("")
      return { row, label, known, open, past, tail, final, dot }
    })
    draw()
  }

  const axis = (tall) => {
    const space = data.most / UNIT
    const tick = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((t) => space / t <= 8) ?? 1
    for (let i = 0; i * tick <= space + 1e-9; i++) {
      const x = scale(i * tick * UNIT)
      make("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: TOP + tall }, svg)
      make("text", { class: "tick", x, y: TOP + tall + 16 }, svg).textContent = decimal(i * tick * UNIT, tick < 0.1 ? 2 : 1)
    }
    const n = data.systems.length, left = p.drawn < n ? ` · ${p.drawn} of ${n} systems` : ""
    make("text", { class: "title", x: scale(data.most / 2), y: TOP + tall + 34 }, svg).textContent = data.measure + left
  }

  const places = (n) => {
    for (const place of [1, ...Array.from({ length: Math.floor(n / 10) }, (_, i) => 10 * (i + 1))]) {
      make("text", { class: "place", x: gutter - 8, y: TOP + (place - 0.5) * step }, svg).textContent = place
    }
  }

  const draw = () => {
    frame = 0
    const value = data.value[p.at], lower = data.lower[p.at], upper = data.upper[p.at], listed = data.upper_listed[p.at]
    const place = data.place[p.at], last = data.systems.length + 1
    order = value.map((_, i) => i).sort((a, b) => (place[a] ?? last) - (place[b] ?? last) || a - b)
    seen = some(order.filter((i) => !data.hidden.includes(i)))
    rows.forEach((r, i) => { r.row.style.display = "none" })
    seen.forEach((i, place) => {
      const r = rows[i]
      r.row.style.display = ""
      if (seen.length < order.length) r.label(1 + order.indexOf(i))
      r.row.style.transform = `translateY(${TOP + place * step}px)`
      const low = lower[i] ?? 0, high = upper[i] ?? low, reach = listed[i] ?? high
      r.known.setAttribute("width", Math.max(0, scale(low) - scale(0)))
      r.open.setAttribute("x", scale(low))
      r.open.setAttribute("width", Math.max(0, scale(reach) - scale(low)))
      r.past.setAttribute("x", scale(reach))
      r.past.setAttribute("width", Math.max(0, scale(high) - scale(reach)))
      if (!data.interval) {
        const from = data.value[0][i] ?? value[i] ?? 0, end = data.value.at(-1)[i] ?? 0
        r.tail.setAttribute("x1", scale(from))
        r.tail.setAttribute("x2", scale(value[i] ?? 0))
        r.final.setAttribute("x1", scale(end))
        r.final.setAttribute("x2", scale(end))
      }
      r.tail.style.display = data.interval ? "none" : ""
      r.final.style.display = data.interval || data.truth ? "none" : ""
      r.dot.setAttribute("cx", scale(value[i] ?? 0))
      r.dot.style.display = value[i] === null ? "none" : ""
      r.row.classList.toggle("focus", i === p.focus)
      r.row.classList.toggle("hover", i === p.hover)
      r.row.classList.toggle("aside", !sought(i))
    })
    const leader = lower[order[0]]
    line.style.display = leader === null || leader === undefined ? "none" : ""
    line.setAttribute("x1", scale(leader ?? 0))
    line.setAttribute("x2", scale(leader ?? 0))
    part("headline").textContent = data.findings[p.at][0]
    part("detail").textContent = data.findings[p.at][1]
    part("tiles").replaceChildren(...data.tiles[p.at].map(tile))
    part("truth-said").textContent = data.truth?.findings[p.at].join(" ") ?? ""
    svg.classList.toggle("unmarked", data.truth?.unmarked === p.at)
    part("stage").textContent = data.stages[p.at] // short, or the controls would wrap
    if (!p.dragged) slider.value = along[p.at]
    slider.setAttribute("aria-valuetext", data.labels[p.at])
    svg.setAttribute("aria-label", `${data.findings[p.at].join(" ")} ${part("truth-said").textContent}`.trim())
    tell()
    host.dataset.drawn = host.dataset.wanted ??= 0
  }

  // Where not all rows fit: the first of the ordering, pinned ones, some that could still be first, and the one in focus
  // with those around it.
  const some = (order) => {
    if (order.length <= p.drawn) return order
    const at = p.focus === null ? -1 : order.indexOf(p.focus)
    const around = at < p.drawn - 2 ? [] : order.slice(at - 2, at + 3)
    const rivals = data.rivals[p.at].slice(0, Math.floor(p.drawn / 2))
    const always = order.filter((i) => around.includes(i) || i in data.pinned || rivals.includes(i))
    const first = order.filter((i) => !always.includes(i)).slice(0, p.drawn - always.length)
    return order.filter((i) => always.includes(i) || first.includes(i))
  }

  const sought = (i) => data.systems[i].toLowerCase().includes(part("find").value.trim().toLowerCase())

  const tell = () => {
    const i = p.hover ?? p.focus
    if (i === null && part("find").value.trim()) {
      const found = order.filter(sought)
      const names = found.slice(0, 8).map((j) => `${data.systems[j]} (rank ${1 + order.indexOf(j)})`)
      const more = found.length - names.length
      part("readout").textContent = found.length
        ? names.join(", ") + (more ? ` and ${more} more` : "")
        : "No system name contains this text."
      return
    }
    if (i === null) {
      part("readout").textContent = "Point at a row to read it; click it to keep it in focus."
      return
    }
    const value = data.value[p.at], lower = data.lower[p.at], upper = data.upper[p.at]
    let text = `${data.systems[i]}${data.pooled[i] ? "" : " (did not contribute)"}: `
    text += value[i] === null ? "no score" : `${decimal(value[i], 3)}, rank ${data.place[p.at][i]}`
    if (lower[i] !== null && upper[i] !== null) {
      const best = data.best[p.at][i], worst = data.worst[p.at][i]
      const low = decimal(10 * Math.floor(lower[i] / 10), 3), high = decimal(10 * Math.ceil(upper[i] / 10), 3)
      text += low === high ? "; exact" : `; possible: ${low}–${high}`
      text += best === worst ? "" : `, ranks ${best}–${worst}`
    } else if (value[i] !== null && p.at < data.stages.length - 1) {
      if (!data.truth) text += `; with all judgments ${decimal(data.value.at(-1)[i], 3)}, rank ${data.place.at(-1)[i]}`
    }
    const truth = data.truth?.at
    if (truth && truth[i] !== null) text += `; ${data.truth.name} ${decimal(truth[i], 3)}, rank ${data.truth.place[i]}`
    part("readout").textContent = text
  }

  const redraw = () => {
    host.dataset.wanted = 1 + Number(host.dataset.wanted ?? 0)
    frame ||= requestAnimationFrame(draw)
  }
  const move = (i) => { p.at = i; redraw() }
  const settle = () => {
    clearTimeout(timer)
    timer = 0
    p.send(data.stages[p.at])
  }
  const release = () => {
    clearTimeout(timer)
    timer = setTimeout(settle, 160)
  }
  const pause = () => {
    cancelAnimationFrame(playing)
    if (playing) release()
    playing = 0
    play.textContent = "▶ Play"
    play.setAttribute("aria-pressed", "false")
  }
  const start = () => { // slow where the pool is shallow: evenly along the slider, whose places are logarithms
    if (p.at >= data.stages.length - 1) move(0)
    let last = performance.now(), place = along[p.at]
    const tick = (now) => {
      place += (END * (now - last)) / (1000 * part("speed").value)
      last = now
      if (nearest(place) > p.at) move(nearest(place))
      if (p.at >= data.stages.length - 1) return pause()
      playing = requestAnimationFrame(tick)
    }
    playing = requestAnimationFrame(tick)
    play.textContent = "❚❚ Pause"
    play.setAttribute("aria-pressed", "true")
  }

  const rowAt = (event) => {
    const box = svg.getBoundingClientRect()
    return seen[Math.floor((event.clientY - box.top - TOP) / step)] ?? null
  }
  const point = (i) => { if (i !== p.hover) { p.hover = i; redraw() } }

  const nearest = (place) => along.reduce((best, at, i) => (Math.abs(at - place) <= Math.abs(along[best] - place) ? i : best), 0)

  slider.addEventListener("input", () => {
    if (playing) pause()
    p.dragged = true // the thumb stays under the pointer until it is let go
    move(nearest(Number(slider.value)))
  })
  slider.addEventListener("change", () => { p.dragged = false; redraw(); release() })
  slider.addEventListener("keydown", (event) => {
    const last = data.stages.length - 1
    const to = { ArrowRight: p.at + 1, ArrowUp: p.at + 1, ArrowLeft: p.at - 1, ArrowDown: p.at - 1, Home: 0, End: last }[event.key]
    if (event.key.startsWith("Page")) handOn(event)
    if (to === undefined) return
    event.preventDefault()
    if (playing) pause()
    move(Math.max(0, Math.min(last, to)))
    release()
  })
  part("find").addEventListener("input", redraw)
  part("find").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return
    p.focus = order.find(sought) ?? null
    redraw()
  })
  play.addEventListener("click", () => (playing ? pause() : start()))
  part("save").addEventListener("click", () => download(onPaper(svg, data, p.at).text, `pool_depth_${data.stages[p.at]}.svg`))
  part("on-paper").addEventListener("click", () => {
    askHowToSave(({ wide: room, format, dots }) => {
      const live = svg.closest(".live"), before = live.style.width
      live.style.width = `${room}px` // drawn anew for this width
      wide = 0
      build()
      draw()
      const { text, width, height } = onPaper(svg, data, p.at)
      live.style.width = before
      wide = svg.clientWidth
      build()
      draw()
      if (format === "png") return rasterised(text, width, height, dots)
      return Promise.resolve(`data:image/svg+xml,${encodeURIComponent(text)}`)
    }, `pool_depth_${data.stages[p.at]}`)
  })
  svg.addEventListener("pointermove", (event) => point(rowAt(event)))
  svg.addEventListener("pointerleave", () => point(null))
  svg.addEventListener("click", (event) => {
    const i = rowAt(event)
    p.focus = i === p.focus ? null : i
    redraw()
  })
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === "Escape") p.focus = null
    else if (by) p.focus = order[Math.max(0, Math.min(order.length - 1, (p.focus === null ? -1 : order.indexOf(p.focus)) + by))]
    else return
    event.preventDefault()
    redraw()
  })
  const stop = () => { // where it is, in the page too, before anything else of it changes
    if (playing) pause()
    if (timer) settle()
  }
  const leave = (event) => {
    if (!playing && !timer) return
    if (event.type === "keydown") return LEAVING.test(event.key) ? stop() : undefined
    const control = event.composedPath().includes(root) ? null : event.target.closest?.("a, button, input, label, [role]")
    if (!control) return
    stop()
    if (!control.href || control.target === "_blank" || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    setTimeout(() => control.click(), SENT)
  }
  for (const act of ACTS) addEventListener(act, leave, true)
  let wide = 0
  const watch = new ResizeObserver(() => {
    if (data && svg.clientWidth && svg.clientWidth !== wide) { wide = svg.clientWidth; build() }
  })
  watch.observe(svg)
  p.close = () => {
    for (const act of ACTS) removeEventListener(act, leave, true)
    watch.disconnect()
    clearTimeout(timer)
    cancelAnimationFrame(playing)
    cancelAnimationFrame(frame)
  }
  return p
}

// Positions of the stages along the slider: the logarithm of the depth; all judgments at the end.
function placesAlong(stages) {
  const depths = stages.filter((stage) => typeof stage === "number"), deepest = Math.log(Math.max(...depths, 2))
  const first = Math.log(Math.max(1, Math.min(...depths)))
  const reach = depths.length < stages.length ? DEEPEST : END
  return stages.map((stage) => (typeof stage === "number" ? (reach * (Math.log(stage) - first)) / Math.max(deepest - first, 1e-9) : END))
}

// A number with its label; the title explains it.
function tile([label, value, meaning]) {
  const whole = document.createElement("div"), name = document.createElement("dt"), number = document.createElement("dd")
  whole.title = meaning
  name.textContent = label
  number.textContent = value
  whole.append(name, number)
  return whole
}

function decimal(units, digits) {
  return units === 0 ? "0" : (units / UNIT).toFixed(digits).replace(/^0(?=\.)/, "")
}

function shorten(name, longest) {
  const letters = Array.from(name)
  if (letters.length <= longest) return name
  const head = Math.floor(((longest - 1) * 2) / 3)
  return letters.slice(0, head).join("") + "…" + letters.slice(head + 1 - longest).join("")
}

// The picture as it stands with its legend, title, depth and study, always as on white paper.
function onPaper(svg, data, at) {
  const live = svg.closest(".live"), legend = live.querySelector(".legend")
  for (const [name, colour] of Object.entries(data.paper)) live.style.setProperty(name, colour)
  const copy = svg.cloneNode(true), [, , wide, tall] = svg.getAttribute("viewBox").split(" ").map(Number)
  const seen = svg.querySelectorAll("*"), drawn = copy.querySelectorAll("*")
  const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "display"]
  const lettering = ["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"]
  seen.forEach((node, i) => {
    const style = getComputedStyle(node), keep = node.tagName === "text" ? [...kept, ...lettering] : kept
    for (const name of keep) drawn[i].setAttribute(name, inWords(style.getPropertyValue(name)))
    const shift = /translateY\(([-\d.]+)px\)/.exec(node.style.transform)
    drawn[i].removeAttribute("style")
    if (shift) drawn[i].setAttribute("transform", `translate(0 ${shift[1]})`)
  })
  const font = getComputedStyle(live).fontFamily, ink = data.paper["--st-text-color"]
  const made = (name, attributes, text = "") => {
    const node = document.createElementNS(SVG, name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    node.textContent = text
    return node
  }
  const letters = (x, y, size, text, weight = 400) =>
    made("text", { x, y, fill: ink, "font-family": font, "font-size": size, "font-weight": weight }, text)
  const far = /^\d/.test(data.labels[at]) ? `pool depth ${data.labels[at]}` : data.labels[at]
  const about = `${data.track} · ${data.measure} · ${far}`
  const title = [letters(8, 20, 15, about, 600)]
  lines(data.findings[at].join(" "), wide / 7.4).forEach((line, i) => title.push(letters(8, 42 + 19 * i, 14, line)))
  const below = 30 + 19 * (title.length - 1), box = legend.getBoundingClientRect()
  const key = [...legend.children].filter((one) => !one.hidden).flatMap((one) => {
    const swatch = one.querySelector(".swatch"), at = swatch.getBoundingClientRect(), style = getComputedStyle(swatch)
    const x = at.left - box.left + 8, middle = at.top + at.height / 2 - box.top + below, edge = parseFloat(style.borderLeftWidth)
    const fill = inWords(style.backgroundColor), stroke = inWords(style.borderLeftColor), round = style.borderRadius === "50%"
    const shape = at.width <= edge + 1 ? made("line", {
      x1: x, x2: x, y1: middle - at.height / 2, y2: middle + at.height / 2, stroke, "stroke-width": edge,
      "stroke-dasharray": style.borderLeftStyle === "dashed" ? "5 4" : "none",
    }) : round ? made("circle", {
      cx: x + at.width / 2, cy: middle, r: 5, fill: edge ? data.paper["--st-background-color"] : fill,
      stroke: edge ? stroke : "none", "stroke-width": 1.6,
    }) : made("rect", { x, y: middle - at.height / 2, width: at.width, height: at.height, fill })
    return [shape, letters(x + at.width + 7, middle + 5, 14, one.textContent.trim())]
  })
  const picture = document.createElementNS(SVG, "g"), top = below + box.height + 8
  picture.setAttribute("transform", `translate(0 ${top})`)
  picture.append(...copy.childNodes)
  for (const name of Object.keys(data.paper)) live.style.removeProperty(name)
  const paper = made("svg", { xmlns: SVG, viewBox: `0 0 ${wide} ${tall + top}`, width: wide, height: tall + top })
  const ground = made("rect", { width: wide, height: tall + top, fill: data.paper["--st-background-color"] })
  paper.append(made("title", {}, `${about}. ${data.findings[at].join(" ")}`), ground, ...title, ...key, picture)
  return { text: new XMLSerializer().serializeToString(paper), width: wide, height: tall + top }
}

// A colour as every program knows it: browsers call a mixed one color(srgb ...).
function inWords(colour) {
  const mixed = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)/.exec(colour)
  return mixed ? `rgb(${mixed.slice(1).map((part) => Math.round(part * 255)).join(", ")})` : colour
}

// A text in lines of so many letters.
function lines(text, letters) {
  return text.split(" ").reduce((all, word) => {
    if ((all.at(-1) + " " + word).length <= letters) all[all.length - 1] += (all.at(-1) && " ") + word
    else all.push(word)
    return all
  }, [""])
}
