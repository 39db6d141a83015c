// Three rankings and the known relevance of their documents at the depth of the slider. All depths arrive at once.

export default function (component) {
  const { parentElement: root, data } = component
  const part = (name) => root.querySelector("." + name)
  const slider = part("slider")
  let marked = null

  const make = (kind, name, text, into) => {
    const node = document.createElement(kind)
    node.className = name
    node.textContent = text
    into.append(node)
    return node
  }
  const SIGNS = { relevant: ["relevant", "✓"], "not relevant": ["nothing", "✗"], unread: ["unread", "?"] }

  const draw = () => {
    const stage = data.stages[slider.value - 1]
    part("depth").textContent = slider.value
    part("finding").textContent = stage.sentence
    part("lists").replaceChildren()
    for (const { system, cards, lower, upper } of stage.lists) {
      const list = make("section", "list", "", part("lists"))
      make("p", "system", system, list)
      const row = make("ol", "row", "", list)
      cards.forEach(([name, state], rank) => {
        const [kind, sign] = SIGNS[state]
        const card = make("li", `card ${kind}`, `${name} ${sign}`, row)
        card.classList.toggle("counts", rank < data.ranks)
        card.classList.toggle("marked", name === marked)
        card.title = `Document ${name}, ${state}`
        card.addEventListener("pointerenter", () => { marked = name; mark() })
        card.addEventListener("pointerleave", () => { marked = null; mark() })
        card.dataset.document = name
      })
      const bar = make("div", "bar", "", list)
      for (let i = 0; i < data.ranks; i++) make("span", `piece ${i < lower ? "known" : i < upper ? "open" : "none"}`, "", bar)
      const range = lower === upper ? `exactly ${lower}` : `${lower} to ${upper}`
      make("p", "range", `Helpful in the top ${data.ranks}: ${range}`, list)
    }
  }
  const mark = () => root.querySelectorAll(".row .card").forEach((card) => {
    card.classList.toggle("marked", card.dataset.document === marked)
  })

  slider.max = data.stages.length
  slider.oninput = draw
  slider.onkeydown = (event) => { if (event.key.startsWith("Page")) handOn(event) }
  draw()
}
