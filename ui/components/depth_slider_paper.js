// The picture of depth_slider.js to be saved: with its legend, title, depth and study, always as on white paper.

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "display"] // styles
const LETTERING = ["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"]

// -> { text: the SVG, width, height }
function onPaper(svg, data, at) {
  const live = svg.closest(".live"), [, , width, tall] = svg.getAttribute("viewBox").split(" ").map(Number)
  for (const [name, colour] of Object.entries(data.paper)) live.style.setProperty(name, colour)
  const ink = data.paper["--st-text-color"], ground = data.paper["--st-background-color"]
  const font = getComputedStyle(live).fontFamily
  const letters = (x, y, size, text, weight = 400) =>
    element("text", { x, y, fill: ink, "font-family": font, "font-size": size, "font-weight": weight }, null, text)

  const far = /^\d/.test(data.labels[at]) ? `pool depth ${data.labels[at]}` : data.labels[at]
  const about = `${data.track} · ${data.measure} · ${far}`, findings = data.findings[at].join(" ")
  const said = lines(findings, width / 7.4), below = 30 + 19 * said.length // the legend's top
  const legend = live.querySelector(".legend"), top = below + legend.getBoundingClientRect().height + 8
  const picture = styledCopy(svg)
  picture.setAttribute("transform", `translate(0 ${top})`)

  const height = tall + top, paper = element("svg", { xmlns: SVG, viewBox: `0 0 ${width} ${height}`, width, height })
  paper.append(
    element("title", {}, null, `${about}. ${findings}`),
    element("rect", { width, height, fill: ground }),
    letters(8, 20, 15, about, 600),
    ...said.map((line, i) => letters(8, 42 + 19 * i, 14, line)),
    ...[...legend.children].filter((entry) => !entry.hidden).flatMap((entry) => {
      const { shape, right, middle } = swatchOnPaper(entry.querySelector(".swatch"), legend, below, ground)
      return [shape, letters(right + 7, middle + 5, 14, entry.textContent.trim())]
    }),
    picture,
  )
  for (const name of Object.keys(data.paper)) live.style.removeProperty(name)
  return { text: new XMLSerializer().serializeToString(paper), width, height }
}

// The parts of the picture in a group, each with the styles that the page gives it.
function styledCopy(svg) {
  const copy = svg.cloneNode(true), shown = svg.querySelectorAll("*"), group = element("g", {})
  copy.querySelectorAll("*").forEach((node, i) => {
    const style = getComputedStyle(shown[i]), kept = node.tagName === "text" ? [...KEPT, ...LETTERING] : KEPT
    for (const name of kept) node.setAttribute(name, inWords(style.getPropertyValue(name)))
    const shift = /translateY\(([-\d.]+)px\)/.exec(node.style.transform)
    node.removeAttribute("style")
    if (shift) node.setAttribute("transform", `translate(0 ${shift[1]})`)
  })
  group.append(...copy.childNodes)
  return group
}

// A swatch of the legend as a line, a circle or a rectangle. -> { shape, right: its end, middle: its height }
function swatchOnPaper(swatch, legend, below, ground) {
  const box = legend.getBoundingClientRect(), at = swatch.getBoundingClientRect(), style = getComputedStyle(swatch)
  const { width, height } = at, x = at.left - box.left + 8, y = at.top - box.top + below, middle = y + height / 2
  const fill = inWords(style.backgroundColor)
  const stroke = inWords(style.borderLeftColor), edge = parseFloat(style.borderLeftWidth)
  const swatchOf = (name, attributes) => ({ shape: element(name, attributes), right: x + width, middle })
  if (width <= edge + 1) {
    const dashes = style.borderLeftStyle === "dashed" ? "5 4" : "none", ends = { x1: x, x2: x, y1: y, y2: y + height }
    return swatchOf("line", { ...ends, stroke, "stroke-width": edge, "stroke-dasharray": dashes })
  }
  if (style.borderRadius === "50%") {
    const paint = edge ? { fill: ground, stroke } : { fill, stroke: "none" }
    return swatchOf("circle", { cx: x + width / 2, cy: middle, r: 5, ...paint, "stroke-width": 1.6 })
  }
  return swatchOf("rect", { x, y, width, height, fill })
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
