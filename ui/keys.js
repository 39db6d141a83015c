// The keys of a tour, Page Down and Page Up, which it does not hear from a slider that has the focus; stands before
// toy.js and depth_slider.js.
function handOn(event) {
  event.preventDefault()
  event.target.blur()
  document.body.dispatchEvent(new KeyboardEvent("keydown", event))
}
