// What was typed into a form[data-keep] and not accepted is there again when the page comes back in
// this tab: after another form of the page was sent, a log-in in between, or Back. The name has the
// version of what the form is about, so that nothing is put back into a form about something newer.
import { contents, fill } from "./fields.js";

const PREFIX = "arbitro:kept:";
const keyOf = (form) => `${PREFIX}${form.dataset.keep}`;

function store(action) {
  try {
    return action(sessionStorage);
  } catch {
    return null; // private mode: the page works, and forgets
  }
}

const spelled = (form) => JSON.stringify(contents(form));

for (const form of document.querySelectorAll("form[data-keep]")) {
  const asMade = spelled(form);
  const kept = store((storage) => storage.getItem(keyOf(form)));
  store((storage) => storage.removeItem(keyOf(form)));
  if (kept !== null && kept !== asMade) {
    fill(form, JSON.parse(kept));
    const fold = form.closest("details");
    if (fold) fold.open = true;
  }
  addEventListener("pagehide", () => {
    const now = spelled(form);
    store((storage) => (now === asMade ? storage.removeItem(keyOf(form)) : storage.setItem(keyOf(form), now)));
  });
}
