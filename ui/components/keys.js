// Pass Page Down and Page Up from a focused slider to the tour; put before toy.js and depth_slider.js.
function handOn(event) {
  event.preventDefault()
  event.target.blur()
  document.body.dispatchEvent(new KeyboardEvent("keydown", event))
}
