// What was typed, chosen or put back by the browser before anybody listened is told once everybody does.
function isTouched(control) {
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (!control.options) return control.defaultValue !== undefined && control.value !== control.defaultValue;
  const options = [...control.options];
  if (control.multiple) return options.some((option) => option.selected !== option.defaultSelected);
  const untouched = options.findLast((option) => option.defaultSelected) ?? options.find((option) => !option.disabled);
  return options.length > 0 && !untouched?.selected;
}

const touched = () => [...document.forms].flatMap((form) => [...form.elements].filter(isTouched));
const tell = (control, kind) => control.dispatchEvent(new Event(kind, { bubbles: true }));

// This module comes first: what was typed before it, no draft has heard of.
const unheard = touched();

// htmx says so when it has begun to listen, and again for each part that it puts in.
document.addEventListener(
  "htmx:load",
  () => {
    for (const control of unheard) tell(control, "input");
    for (const control of touched()) tell(control, "change");
  },
  { once: true },
);
