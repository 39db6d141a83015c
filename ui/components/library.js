// Load Plotly once for all pictures; put before plotly_component.js and browser.js. After a failed download, the next call
// loads it again.
function library() {
  return window.Plotly ?? (window.loadingPlotly ??= new Promise((done, fail) => {
    const script = document.createElement("script"), own = document.querySelector("script[src*='static/js/']").src
    const failed = () => {
      script.remove()
      fail(new Error("no Plotly"))
      setTimeout(() => { delete window.loadingPlotly }, 500)
    }
    script.src = new URL("../../app/static/PLOTLY", own)
    script.onload = () => window.Plotly ? done(window.Plotly) : failed()
    script.onerror = failed
    document.head.append(script)
  }))
}
