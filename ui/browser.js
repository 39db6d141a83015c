// The page that is open, the step of a tour and the choice that a click made come with each run; what is done, is done
// once for each.

export default function (component) {
  const { parentElement: root, data } = component
  const button = root.querySelector(".copy"), done = root.querySelector(".done")
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      done.textContent = "Copied"
    } catch {
      done.textContent = "Copy it from the address bar"
    }
    setTimeout(() => { done.textContent = "" }, 3000)
  }

  setTimeout(() => Promise.resolve(library()).catch(() => {}), 1000) // before a page needs it
  const before = root.seen
  root.seen = { page: data.page, step: JSON.stringify(data.step), clicked: JSON.stringify(data.clicked) }
  if (!before) return
  if (before.page !== data.page) {
    if (innerWidth <= 768) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click()
    when(() => document.querySelector("h1"), (head) => {
      head.tabIndex = -1
      head.focus({ preventScroll: true })
    })
  }
  if (data.step && before.step !== root.seen.step) document.querySelector("[data-testid=stMain]").scrollTo(0, 0)
  if (data.clicked && before.clicked !== root.seen.clicked) {
    when(() => document.querySelector(`.st-key-${data.clicked[0]}`), (opened) => {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches
      opened.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" })
    })
  }
}

// Calls `act` with what `find` gives as soon as it is there, within three seconds.
function when(find, act, left = 30) {
  const found = find()
  if (found) act(found)
  else if (left) setTimeout(() => when(find, act, left - 1), 100)
}
