// The Master's desk by keyboard. Every control that a letter presses names it in data-key, in its
// label and in its tooltip; without this module all of them are plain links, buttons and forms.
const desk = () => document.querySelector("[data-desk]");
const rows = () => [...document.querySelectorAll("[data-desk-row]")];
const help = () => document.getElementById("desk-keys");
const row = () => document.activeElement?.closest("[data-desk-row]") ?? rows()[0];

// A form in which something is written, around where the focus is: there no letter presses anything,
// on its boxes and buttons neither, for whoever means to write would decide instead.
const WRITTEN_IN = "textarea, select, input:not([type=hidden], [type=checkbox])";
const writing = (target) => (target.closest("form")?.querySelector(WRITTEN_IN) ? target.closest("form") : null);

function move(step) {
  const list = rows();
  const here = list.findIndex((one) => one.contains(document.activeElement));
  const next = list[Math.min(Math.max(here < 0 ? 0 : here + step, 0), list.length - 1)];
  next.querySelector("[data-desk-open], a")?.focus();
  next.scrollIntoView({ block: "nearest" });
}

// A part of the page that folds away is opened, and the first field in it takes the focus.
function enter(id) {
  const part = document.getElementById(id);
  if (!part) return;
  if (part.matches("details")) part.open = true;
  part.querySelector("input:not([type=hidden]), select, textarea")?.focus();
  part.scrollIntoView({ block: "nearest" });
}

function press(letter) {
  const place = rows().length ? row() : desk();
  const control = [...(place?.querySelectorAll("[data-key]") ?? [])].find((one) => one.dataset.key === letter);
  if (!control || control.disabled) return false;
  if (control.dataset.focusIn) enter(control.dataset.focusIn);
  else control.click();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (!desk() || help()?.open) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = event.target.closest("form");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("button:not([value=preview])"));
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const form = writing(event.target);
  if (form) {
    // Escape leaves the form; whoever begins to write on a box writes the note.
    if (event.key === "Escape") event.target.blur();
    else if (event.target.type === "checkbox" && event.key.length === 1 && event.key !== " ") form.querySelector("textarea")?.focus();
    return;
  }
  if (event.key === "?") help()?.showModal();
  else if (rows().length && (event.key === "j" || event.key === "k")) move(event.key === "j" ? 1 : -1);
  else if (!/^[a-z]$/.test(event.key) || !press(event.key)) return;
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-focus-in]");
  if (link) {
    event.preventDefault();
    enter(link.dataset.focusIn);
  }
  if (event.target.closest("[data-desk-help]")) help()?.showModal();
});

for (const button of document.querySelectorAll("[data-desk-help]")) button.hidden = false;

// Whoever decided in the list goes on there: with the same row, or with the one that is first now.
// The browser goes to the fragment when all is loaded, and takes the focus away then.
function resume() {
  const back = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (back && back.matches("[data-desk-row]")) back.querySelector("[data-desk-open]").focus();
  else if (location.hash === "#queue" && rows().length) move(0);
}
if (desk()) addEventListener("load", () => setTimeout(resume));
