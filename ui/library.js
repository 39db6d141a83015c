// Plotly, for all pictures once; stands before plotting.js and browser.js.
function library() {
  return window.Plotly ?? (window.loadingPlotly ??= new Promise((done, fail) => {
    const script = document.createElement("script"), own = document.querySelector("script[src*='static/js/']").src
    script.src = new URL("../../app/static/PLOTLY", own)
    script.onload = () => done(window.Plotly)
    script.onerror = () => { delete window.loadingPlotly; fail(new Error("no Plotly")) }
    document.head.append(script)
  }))
}
