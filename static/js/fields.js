// The fields of a form as they stand, and put back: what a key or a version says is never kept.
const KEPT_OUT = new Set(["key", "version"]);

export function contents(form) {
  return [...new FormData(form)].filter(([name, value]) => !KEPT_OUT.has(name) && typeof value === "string");
}

export function fill(form, entries) {
  const kept = new Map(entries);
  for (const control of form.elements) {
    // A prefilled number that nobody touched when the draft was written stays as the scene has it now.
    const was = kept.get(`${control.name}~was`);
    if (was !== undefined && kept.get(control.name) === was) continue;
    if (!control.name || KEPT_OUT.has(control.name) || control.type === "submit") continue;
    const values = entries.filter(([name]) => name === control.name).map(([, value]) => value);
    if (control.type === "checkbox" || control.type === "radio") control.checked = values.includes(control.value);
    else if (values.length && control.type !== "hidden") control.value = values[0];
  }
  form.dispatchEvent(new Event("change", { bubbles: true })); // and early.js says so again to htmx
}
