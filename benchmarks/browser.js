// Notes when something was asked for, when the picture first stood, and when the page last changed; all in ms.

(() => {
  const noted = window.noted = { asked: 0, picture: 0, changed: 0, heading: "" }
  const quiet = "[data-testid=stStatusWidget], [data-testid=stHeader]"
  const drawn = ".js-plotly-plot .main-svg :is(.trace, .hm), svg.picture .row"
  const roots = new Set(), old = new WeakSet()

  function everything(selector) {
    return [document, ...roots].flatMap((root) => [...root.querySelectorAll(selector)])
  }

  function watch(root) {
    if (!root || roots.has(root)) return
    if (root !== document) roots.add(root)
    new MutationObserver((changes) => {
      if (changes.every(({ target: at, type, attributeName }) =>
        (at.closest ?? (() => null)).call(at, quiet) || (type === "attributes" && /^(data-test|data-stale)/.test(attributeName)))) return
      const first = !noted.picture && (!noted.heading || document.querySelector("h1")?.textContent.includes(noted.heading))
        && everything(drawn).some((one) => !old.has(one.closest("svg")))
      requestAnimationFrame(() => setTimeout(() => {  // after it was painted
        noted.changed = performance.now()
        if (first) noted.picture ||= noted.changed
      }))
    }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
  }

  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (how) {
    const root = attach.call(this, how)
    watch(root)
    return root
  }

  noted.begin = (heading) => {
    for (const one of everything("svg")) old.add(one)
    Object.assign(noted, { asked: 0, picture: 0, changed: 0, heading })
  }
  const ask = () => { noted.asked = performance.now() }
  addEventListener("click", ask, true)
  addEventListener("keydown", (pressed) => pressed.key === "Enter" && ask(), true)
  addEventListener("DOMContentLoaded", () => watch(document))
})()
