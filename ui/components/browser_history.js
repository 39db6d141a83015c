// One entry in the browser's history for each action of the visitor; later changes of the address by the page replace
// it. This also applies while a page opens, so this runs before Streamlit. A search has no entry for each word typed.
{
  let touched = false
  for (const by of ["pointerdown", "keydown", "click", "input", "drop"])
    addEventListener(by, (event) => { touched = !event.target.closest?.(".st-key-search") }, { capture: true, passive: true })
  const push = history.pushState.bind(history)
  history.pushState = (...entry) => {
    touched ? push(...entry) : history.replaceState(...entry)
    touched = false
  }
}

// Show the opening message until the first element of the page; Streamlit's grey bars are hardly visible.
new MutationObserver((_, watch) => {
  if (!document.querySelector("[data-testid=stElementContainer] > :not([data-testid=stAppSkeleton])")) return
  document.querySelector("#opening")?.remove()
  watch.disconnect()
}).observe(document, { childList: true, subtree: true })
