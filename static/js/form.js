// What every form shares: parts shown only where they matter, problems beside their fields.
import { announce } from "./announce.js";

function chosen(form, name) {
  return [...form.elements]
    .filter((control) => control.name === name && (!["radio", "checkbox"].includes(control.type) || control.checked))
    .map((control) => control.value);
}

// data-show-if="name=value value", or "name" for any value: without this module everything is shown.
function isShown(form, condition) {
  const [name, values] = condition.split("=");
  return chosen(form, name).some((value) => (values === undefined ? value !== "" : values.split(" ").includes(value)));
}

// A choice that goes away is no longer made: the first of its group is, which chooses nothing.
function unchoose(form, part) {
  const radio = part.matches("label") && part.querySelector("input[type=radio]:checked");
  if (radio) [...form.elements].find((control) => control.name === radio.name).checked = true;
}

const USES = /(\.tool|\.support|\.with\.\w+|\.pick|^loose\.\w+)$/;

// What chosen weapons and techniques are called in the fields that choose them.
function used(form) {
  return [...form.elements]
    .filter((control) => USES.test(control.name) && !control.name.startsWith("plans."))
    .filter((control) => !["radio", "checkbox"].includes(control.type) || control.checked)
    .map((control) => control.value);
}

function reveal(form) {
  for (const part of form.querySelectorAll("[data-show-if]")) {
    part.hidden = !isShown(form, part.dataset.showIf);
    if (part.hidden) unchoose(form, part);
    if ("drop" in part.dataset) part.disabled = part.hidden; // and then it is not sent either
  }
  const tools = used(form);
  for (const part of form.querySelectorAll("[data-if-used]")) {
    const names = part.dataset.ifUsed.split("\n");
    part.hidden = !tools.some((value) => names.some((name) => (name.startsWith("/") ? value.endsWith(name) : value === name)));
  }
  const countering = [...form.querySelectorAll("[data-counter]:checked")].some((control) => !control.matches(":disabled"));
  for (const part of form.querySelectorAll("[data-if-counter]")) part.hidden = !countering;
  for (const part of form.querySelectorAll("[data-unless-counter]")) {
    part.hidden = countering;
    part.disabled = countering;
  }
}

// A list of problems says which field each is about, by its label and by the row it stands in.
function name(list) {
  for (const problem of list.querySelectorAll("li[data-field]:not([data-named])")) {
    const id = `f-${problem.dataset.within ?? ""}${problem.dataset.field}`;
    const label = document.querySelector(`label[for="${CSS.escape(id)}"]`);
    problem.dataset.named = "yes";
    if (!label) continue;
    const row = label.closest("details[id], fieldset[id]")?.querySelector("summary bdi, legend");
    const words = [row, label].filter(Boolean).map((part) => part.textContent.trim());
    problem.querySelector("a")?.prepend(`${words.join(", ")}: `);
  }
}
name(document);

// A preview lists its problems with the field each is about; show them there too.
function mark(form, problems) {
  const found = new Map();
  for (const problem of problems) {
    const field = problem.dataset.field;
    found.set(field, [...(found.get(field) ?? []), problem.dataset.text ?? problem.textContent.trim()]);
  }
  for (const slot of form.querySelectorAll("[data-error-for]")) {
    const texts = found.get(slot.dataset.errorFor) ?? [];
    slot.replaceChildren(
      ...texts.map((text) => {
        const line = document.createElement("span");
        line.textContent = text;
        return line;
      }),
    );
    for (const control of form.querySelectorAll(`[aria-describedby~="${CSS.escape(slot.id)}"]`)) {
      if (texts.length) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    }
  }
}

// What the preview comes to is said aloud, but only when it changes.
let told = "";
function tell(verdict) {
  if (verdict && verdict !== told) announce(verdict);
  told = verdict ?? told;
}

function prepare(form) {
  reveal(form);
  form.addEventListener("change", () => reveal(form));
}

document.querySelectorAll("form").forEach(prepare);

// A form that comes back with a row more keeps open what was open.
let unfolded = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  unfolded = [...event.detail.target.querySelectorAll("details[open][id]")].map((fold) => fold.id);
});

document.addEventListener("htmx:afterSwap", (event) => {
  const target = event.detail.target;
  for (const id of unfolded) {
    const fold = document.getElementById(id);
    if (fold) fold.open = true;
  }
  const fresh = event.detail.elt;
  if (fresh?.matches?.("form")) {
    prepare(fresh);
    // A row that went away took the focus with it.
    if (!fresh.querySelector("[autofocus]")) {
      fresh.tabIndex = -1;
      fresh.focus({ preventScroll: true });
    }
  }
  const owner = target.dataset.problemsOf && document.getElementById(target.dataset.problemsOf);
  if (owner) {
    mark(owner, target.querySelectorAll("[data-field]"));
    name(target);
    tell(target.querySelector("[data-verdict]")?.textContent.trim());
  }
});

// A form is sent once: a second click while the answer is on its way does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.submitter?.value === "preview" && form.matches("[hx-post]")) {
    event.preventDefault(); // Enter in a field: the preview comes without a new page
    form.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  if (!form.matches("[data-once]") || event.submitter?.formTarget) return; // a frame shows a try
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// The page of a secret link enters by itself, but only where somebody looks at it.
const entrance = document.querySelector("form[data-enter]");
if (entrance) {
  const enter = () => document.visibilityState === "visible" && entrance.requestSubmit();
  document.addEventListener("visibilitychange", enter, { once: true });
  enter();
}

// After a refused submission the summary of what is wrong takes the focus.
document.querySelector("[data-focus]")?.focus();
