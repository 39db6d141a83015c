// The way back has an entry for each thing that somebody does; what a page then settles by itself takes its place. So does
// what it settles when it is opened, which is why this runs before Streamlit does.
{
  let touched = false
  for (const by of ["pointerdown", "keydown", "click", "input", "drop"])
    addEventListener(by, () => { touched = true }, { capture: true, passive: true })
  const push = history.pushState.bind(history)
  history.pushState = (...entry) => {
    touched ? push(...entry) : history.replaceState(...entry)
    touched = false
  }
}

// The words of the document show until the page's first element does; Streamlit's grey bars can hardly be seen.
new MutationObserver((_, watch) => {
  if (!document.querySelector("[data-testid=stElementContainer] > :not([data-testid=stAppSkeleton])")) return
  document.querySelector("#opening")?.remove()
  watch.disconnect()
}).observe(document, { childList: true, subtree: true })
