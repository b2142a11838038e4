// Copy buttons: data-copy names the element whose text is copied. The clipboard may be closed to
// us (plain http, old browsers): then the text is selected and the person is told what to press.
import { announce } from "./announce.js";

const textOf = (source) => ("value" in source ? source.value : source.textContent);

function select(source) {
  if ("select" in source) {
    source.focus();
    source.select();
    return;
  }
  const range = document.createRange();
  range.selectNodeContents(source);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

function say(button, text) {
  const note = button.parentElement.querySelector("[data-copy-note]");
  if (note) {
    note.textContent = text;
    clearTimeout(note.timer);
    note.timer = setTimeout(() => (note.textContent = ""), 6000);
  }
  announce(text);
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(textOf(source));
    say(button, button.dataset.done);
  } catch {
    select(source);
    say(button, button.dataset.fallback);
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  const whole = event.target.closest("[data-select]");
  if (whole) select(document.getElementById(whole.dataset.select));
});
