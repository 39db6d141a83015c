// Files on their way to an uploader: many in few parts, how far they are, and why they did not arrive. This runs before
// Streamlit, whose requests it watches. `refusals`, the sentences, are those of browser_history.py.

// Streamlit draws an uploader's whole list again when a file begins or arrives, each time before anything else: 1,000
// files take two minutes. So more than FEW files are sent in bundles (ui/data/upload_bundles.py), 100 at most.
{
  const FEW = 50, LEAST = 1e6, MOST_FILES = 1000 // files; bytes and files of a bundle
  const TYPE = "application/x-poolscope-files", IGNORED = [".DS_Store", "Thumbs.db"] // as Streamlit ignores them
  const ZONE = "[data-testid=stFileUploaderDropzone]", INPUT = "input[type=file][multiple]"
  const passed = new WeakSet() // events that are Streamlit's

  const bundled = (files) => {
    if (files.length <= FEW) return files
    const most = Math.max(LEAST, files.reduce((sum, file) => sum + file.size, 0) / FEW), bundles = []
    let room = 0
    for (const file of files) {
      if (!bundles.length || file.size > room || bundles.at(-1).length === MOST_FILES) bundles.push([]), room = most
      bundles.at(-1).push(file)
      room -= file.size
    }
    return bundles.map((some) => some.length === 1 ? some[0] : inOne(some))
  }
  const inOne = (files) => {
    const head = JSON.stringify(files.map(({ name, size }) => [name, size]))
    return new File([head, "\n", ...files], `${files[0].name} and ${files.length - 1} more`, { type: TYPE })
  }
  const handOver = (files, event, place) => {
    const given = new DataTransfer()
    for (const file of files) given.items.add(file)
    if (event === "drop") event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: given })
    else place.files = given.files, event = new Event("change", { bubbles: true })
    passed.add(event)
    place.dispatchEvent(event)
  }
  const filesOf = async (entry) => {
    const asked = (ask) => new Promise((given, failed) => ask(given, failed))
    if (entry.isFile) return IGNORED.includes(entry.name) ? [] : asked((...so) => entry.file(...so))
    const reader = entry.createReader(), inside = []
    for (let some; (some = await asked((...so) => reader.readEntries(...so))).length;) inside.push(...some)
    return (await Promise.all(inside.map(filesOf))).flat()
  }

  addEventListener("change", (event) => {
    const input = event.target
    if (passed.has(event) || !input.matches?.(`${ZONE} ${INPUT}`) || input.files.length <= FEW) return
    event.stopImmediatePropagation()
    handOver(bundled([...input.files]), "change", input)
  }, true)

  addEventListener("drop", async (event) => {
    const place = event.target.closest?.(ZONE)
    if (passed.has(event) || !place?.querySelector(INPUT)) return
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()), given = [...event.dataTransfer.files]
    const folders = entries.some((entry) => entry?.isDirectory)
    if (given.length <= FEW && !folders) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const files = folders ? await Promise.all(entries.filter(Boolean).map(filesOf)).catch(() => given) : given
    handOver(bundled(files.flat()), "drop", place)
  }, true)
}

// Count what is sent, show it below its uploader, and keep why a file did not arrive until the next upload.
{
  const uploads = { sent: new Set(), failed: new Map(), path: "" } // path : of the page that they were for
  const { open, send } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.open = function (method, url, ...more) {
    this.uploads = method === "PUT" && String(url).includes("/_stcore/upload_file/")
    return open.call(this, method, url, ...more)
  }
  XMLHttpRequest.prototype.send = function (body) {
    const file = this.uploads && body instanceof FormData && [...body.values()].find((one) => one instanceof File)
    if (file) watch(this, file)
    return send.call(this, body)
  }
  const watch = (request, { name, size, type }) => {
    if ([...uploads.sent].every((one) => one.over)) uploads.sent.clear(), uploads.failed.clear()
    uploads.path = location.pathname
    const files = type.endsWith("x-poolscope-files") ? 1 + Number(name.match(/(\d+) more$/)?.[1] ?? 0) : 1
    const one = { files, size, sent: 0, over: false }
    uploads.sent.add(one)
    request.upload.addEventListener("progress", ({ loaded }) => { one.sent = Math.min(loaded, size) })
    request.addEventListener("load", () => { if (request.status >= 400) uploads.failed.set(name, why(name, request)) })
    request.addEventListener("error", () => uploads.failed.set(name, refusals.cut.replace("{name}", () => name)))
    request.addEventListener("loadend", () => { one.sent = size, one.over = true })
  }
  const why = (name, { status, responseText }) => {
    if (refusals.own.some((begins) => responseText.startsWith(begins))) return `${name} was not loaded. ${responseText}`
    return (status === 413 ? refusals.large : refusals.cut).replace("{name}", () => name)
  }
  const nameOf = (chip) => chip?.querySelector("[data-testid=stFileChipName]")?.title
  addEventListener("click", ({ target }) => { // the visitor removes a file that did not arrive
    if (target.closest?.("[data-testid=stFileChipDeleteBtn]")) uploads.failed.delete(nameOf(target.closest("[data-testid=stFileChip]")))
  }, true)

  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 })
  const progress = () => {
    const all = [...uploads.sent], sum = (of) => all.reduce((before, one) => before + of(one), 0)
    if (all.every((one) => one.over)) return ""
    const size = sum((one) => one.size), files = sum((one) => one.files), [unit, name] = size < 1e6 ? [1e3, "kB"] : [1e6, "MB"]
    const count = files > 1 ? `${whole.format(sum((one) => Math.floor(one.files * (one.sent / one.size || 0))))} of ${whole.format(files)} files, ` : ""
    return `Uploading: ${count}${whole.format(sum((one) => one.sent) / unit)} of ${whole.format(size / unit)} ${name}`
  }

  // An uploader that was replaced stays in the document, out of sight, until the script ends.
  const inSight = (what) => [...document.querySelectorAll(what)].find((one) => one.checkVisibility())
  const uploader = () => inSight("[data-testid=stFileUploader]:has([data-testid=stFileChip])") ?? inSight("[data-testid=stFileUploader]")
  const say = (id, role, words, place) => {
    let shown = document.querySelector(`#${id}`)
    if (!words || !place) return shown?.remove()
    if (shown?.parentElement !== place) {
      shown?.remove()
      shown = Object.assign(document.createElement("p"), { id })
      shown.setAttribute("role", role)
      place.append(shown)
    }
    if (shown.textContent !== words) shown.textContent = words
  }

  const LOST = "The connection to Poolscope is lost, so choices and uploads have no effect. Wait until this message disappears, then load files again that had not arrived."
  let since = 0, connected = false
  const refused = () => {
    if (uploads.failed.size && uploads.path === location.pathname) return [...uploads.failed.values()].join("\n")
    const chip = inSight("[data-testid=stFileChip][aria-invalid=true]")
    return chip ? `${nameOf(chip)} was not loaded: ${chip.querySelector("[role=alert]")?.textContent ?? ""}` : ""
  }
  setInterval(() => {
    const state = document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState
    connected ||= state === "CONNECTED"
    const lost = connected && (state !== "CONNECTED" || !navigator.onLine)
    since = lost ? since + 1 : 0
    if (since > 2) say("not-received", "alert", LOST, document.body) // a page that is left is not connected either
    else say("not-received", "alert", refused(), uploader())
    say("uploading", "status", progress(), uploader())
  }, 500)
}
