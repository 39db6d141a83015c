// Three rankings and the known relevance of their documents at the depth of the slider. All depths arrive at once.

const SIGNS = { relevant: ["relevant", "✓"], "not relevant": ["nothing", "✗"], unread: ["unread", "?"] }

export default function (component) {
  const { parentElement: root, data } = component
  const live = { root, data, part: (name) => root.querySelector("." + name), marked: null } // a document's name
  const slider = live.part("slider")
  slider.max = data.stages.length
  slider.oninput = () => draw(live)
  slider.onkeydown = (event) => { if (event.key.startsWith("Page")) handOn(event) }
  draw(live)
}

function draw(live) {
  const { data, part } = live, depth = part("slider").value, stage = data.stages[depth - 1]
  part("depth").textContent = depth
  part("finding").textContent = stage.sentence
  part("lists").replaceChildren()
  for (const ranking of stage.lists) drawList(live, ranking)
}

function drawList(live, { system, cards, lower, upper }) {
  const { ranks } = live.data, list = make("section", "list", "", live.part("lists"))
  make("p", "system", system, list)
  const row = make("ol", "row", "", list)
  cards.forEach(([name, state], rank) => drawCard(live, row, name, state, rank))
  const bar = make("div", "bar", "", list)
  for (let i = 0; i < ranks; i++) make("span", `piece ${i < lower ? "known" : i < upper ? "open" : "none"}`, "", bar)
  const range = lower === upper ? `exactly ${lower}` : `${lower} to ${upper}`
  make("p", "range", `Helpful in the top ${ranks}: ${range}`, list)
}

function drawCard(live, row, name, state, rank) {
  const [kind, sign] = SIGNS[state], card = make("li", `card ${kind}`, `${name} ${sign}`, row)
  card.classList.toggle("counts", rank < live.data.ranks)
  card.classList.toggle("marked", name === live.marked)
  card.title = `Document ${name}, ${state}`
  card.addEventListener("pointerenter", () => mark(live, name))
  card.addEventListener("pointerleave", () => mark(live, null))
  card.dataset.document = name
}

// Mark a document in every ranking; null = none.
function mark(live, name) {
  live.marked = name
  for (const card of live.root.querySelectorAll(".row .card"))
    card.classList.toggle("marked", card.dataset.document === name)
}

function make(kind, name, text, into) {
  const node = document.createElement(kind)
  node.className = name
  node.textContent = text
  into.append(node)
  return node
}
