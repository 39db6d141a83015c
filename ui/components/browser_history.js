// One entry in the browser's history for each action of the visitor; later changes of the address by the page replace
// it. This also applies while a page opens, so this runs before Streamlit.
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

// Show the opening message until the first element of the page; Streamlit's grey bars are hardly visible.
new MutationObserver((_, watch) => {
  if (!document.querySelector("[data-testid=stElementContainer] > :not([data-testid=stAppSkeleton])")) return
  document.querySelector("#opening")?.remove()
  watch.disconnect()
}).observe(document, { childList: true, subtree: true })

// Say what Streamlit does not show: that the connection is lost, or why a file did not arrive.
{
  const LOST = "The connection to Poolscope is lost, so choices and uploads have no effect. Wait until this message disappears, then load files again that had not arrived."
  let since = 0, connected = false
  const refused = () => {
    const chip = document.querySelector("[data-testid=stFileChip][aria-invalid=true]")
    if (!chip) return ""
    const name = chip.querySelector("[data-testid=stFileChipName]")?.textContent, why = chip.querySelector("[role=alert]")?.textContent ?? ""
    return why.includes("AxiosError") ? `The upload of ${name} was cut off, so the file was not loaded. Remove it, and load it again.` : `${name} was not loaded: ${why}`
  }
  setInterval(() => {
    const state = document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState
    connected ||= state === "CONNECTED"
    const lost = connected && (state !== "CONNECTED" || !navigator.onLine)
    since = lost ? since + 1 : 0
    const words = since > 1 ? LOST : refused() // a page that is left is not connected either
    let shown = document.querySelector("#not-received")
    if (!words) return shown?.remove()
    if (!shown) {
      shown = document.createElement("p")
      shown.id = "not-received"
      shown.setAttribute("role", "alert")
      document.body.append(shown)
    }
    if (shown.textContent !== words) shown.textContent = words
  }, 1000)
}
