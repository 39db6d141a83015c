// Each run sends the open page, the step of a tour, and the choice made by a click; each is handled once.

export default function (component) {
  const { parentElement: root, data } = component
  const button = root.querySelector(".copy"), done = root.querySelector(".done")
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      done.textContent = data.copied
    } catch {
      done.textContent = "Copy it from the address bar"
    }
    setTimeout(() => { done.textContent = "" }, 5000)
  }

  Promise.resolve(library()).catch(() => {}) // before the first figure asks for it
  const before = root.seen
  root.seen = { page: data.page, step: JSON.stringify([data.step, data.opens, data.presented]) }
  if (data.step && (before ? before.step !== root.seen.step : data.opens)) reach(root, data.opens)
  const clicked = JSON.stringify(data.clicked)
  if (data.clicked && window.clicked !== clicked) reveal(data.clicked[0])
  window.clicked = clicked // of the window: a click may come before this script was loaded
  if (before && before.page !== data.page) {
    if (innerWidth <= 768) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click()
    when(() => document.querySelector("h1"), (head) => {
      head.tabIndex = -1
      head.focus({ preventScroll: true })
    })
  }
}

// Scroll to the part with this key once it is seen, and again after the content below it has grown.
function reveal(key) {
  const seen = () => document.querySelector(`.st-key-${key}`)
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches
  const scroll = (opened) => opened.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" })
  const untouched = untilTouched()
  when(() => seen()?.checkVisibility() && seen(), (opened) => {
    scroll(opened)
    for (const later of [1000, 2500, 6000, 12000])
      setTimeout(() => { if (!untouched.aborted && seen()) scroll(seen()) }, later)
  }, 300)
}

// A closed picker or a switch with the focus passes Page Down and Page Up to the tour.
function leaveKeys(event) {
  const at = event.target
  if (!["PageDown", "PageUp"].includes(event.key) || !document.querySelector(".st-key-tour-strip")) return
  if (!at.matches?.("input:is([type=checkbox], [type=radio], [role=combobox]:not([aria-expanded=true]))")) return
  event.preventDefault()
  event.stopPropagation()
  at.blur()
  document.body.dispatchEvent(new KeyboardEvent("keydown", event))
}
removeEventListener("keydown", window.leavesKeys, true) // from an earlier copy of this script
addEventListener("keydown", window.leavesKeys = leaveKeys, true)

// In the line of choices, the focus goes into the picker of the part that is opened, and back when one option is chosen.
function useLine(event) {
  const pressed = window.pressedOn // the key that opens a picker is let go on its first option
  if (event.type === "keydown") return void (window.pressedOn = event.target)
  const part = event.target.closest?.(".st-key-choices [class*=st-key-part-] [data-testid=stPopoverButton]")
  const picker = () => [...document.querySelectorAll("[data-testid=stPopoverBody]")].at(-1)
  const first = () => picker()?.querySelector("input:checked") ?? picker()?.querySelector("input")
  if (part) when(() => part.getAttribute("aria-expanded") === "true" && first(), (to) => {
    to.focus()
    if (to.matches("[data-testid=stSelectbox] input")) to.parentElement.querySelector("button")?.click() // its list
  }, 10)
  const chosen = event.type === "click" ? "[data-testid=stRadio] label, [role=option]" : "[data-testid=stPopoverBody] input"
  const option = event.target.closest?.(chosen)
  const open = document.querySelector(".st-key-choices [class*=st-key-part-] [data-testid=stPopoverButton][aria-expanded=true]")
  const byHand = event.type === "click" ? event.detail > 0 : event.key === "Enter" && pressed === event.target
  if (!open || !option || !byHand || picker()?.querySelector("[data-testid=stMultiSelect]")) return
  setTimeout(() => { open.click(); open.focus() }, 50) // after the choice is taken
}
for (const kind of ["click", "keydown", "keyup"]) {
  removeEventListener(kind, window.usesLine, true)
  addEventListener(kind, useLine, true)
}
window.usesLine = useLine

// Scroll to the top of the page, then to the part with this key. Repeat while the page is drawn and for thirty more
// seconds, because content around it grows, unless the visitor touches the page.
function reach(root, key) {
  const main = () => document.querySelector("[data-testid=stMain]"), step = root.seen.step // another page has its own
  main().scrollTo(0, 0)
  if (!key || innerWidth <= 640) return // a phone has no room for the step's words next to the part
  const touched = untilTouched()
  let left = 60
  const over = () => touched.aborted || root.seen.step !== step
  const align = () => {
    const part = document.querySelector(`.st-key-${key}`), words = strip()?.offsetHeight ?? 0
    if (part && !over()) main().scrollBy(0, part.getBoundingClientRect().top - main().getBoundingClientRect().top - words)
  }
  const grown = new ResizeObserver(align) // a paper's numbers are added to the words after the page is drawn
  const below = () => {
    if (strip()) room.observe(strip()), grown.observe(strip())
    align()
    if (!over() && (!drawn() || left--)) setTimeout(below, 500)
    else grown.disconnect()
  }
  when(() => document.querySelector(`.st-key-${key}`), below, 600)
}

function strip() {
  return document.querySelector(".st-key-tour-strip")?.parentElement
}

// Keep sticky parts, such as the slider, below the sticky words of a step.
const room = new ResizeObserver(() => {
  const words = document.querySelector(".st-key-tour-strip:has(.st-key-tour-stays)")?.parentElement.offsetHeight ?? 0
  document.documentElement.style.setProperty("--words", `${innerWidth > 640 ? words : 0}px`)
})

function drawn() {
  return document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "running"
}

// A signal that aborts when the visitor touches the page.
function untilTouched() {
  const touched = new AbortController()
  for (const by of ["wheel", "touchstart", "pointerdown", "keydown"])
    addEventListener(by, () => touched.abort(), { capture: true, passive: true, signal: touched.signal })
  return touched.signal
}

// Call `act` with the result of `find` once there is one, within `left` tenths of a second.
function when(find, act, left = 30) {
  const found = find()
  if (found) act(found)
  else if (left) setTimeout(() => when(find, act, left - 1), 100)
}
