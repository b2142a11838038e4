// Drafts: what is typed into form[data-draft] is kept in this browser under the form's name and the
// version of the scene it was written for, and forgotten only once the server has accepted it.
import { contents, fill } from "./fields.js";

const PREFIX = "arbitro:draft:";

const time = (when) => new Date(when).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
const keyOf = (name, version) => `${PREFIX}${name}:${version}`;

function store(action) {
  try {
    return action(localStorage);
  } catch {
    return undefined; // private mode or a full disk: the form still works, and says so below
  }
}

function read(key) {
  const text = store((storage) => storage.getItem(key));
  try {
    const draft = JSON.parse(text ?? "null");
    return draft && Array.isArray(draft.entries) ? draft : null;
  } catch {
    return null;
  }
}

function older(name, version) {
  const keys = store((storage) => Object.keys(storage)) ?? [];
  const drafts = keys
    .filter((key) => key.startsWith(`${PREFIX}${name}:`) && key !== keyOf(name, version))
    .map((key) => ({ key, draft: read(key) }))
    .filter(({ draft }) => draft);
  return drafts.sort((one, other) => other.draft.at - one.draft.at)[0];
}

function watch(form) {
  const { draft: name, version } = form.dataset;
  const key = keyOf(name, version);
  const status = form.querySelector("[data-draft-status]");
  const untouched = contents(form);

  function save() {
    const at = Date.now();
    const kept = store((storage) => (storage.setItem(key, JSON.stringify({ at, entries: contents(form) })), true));
    const text = kept ? form.dataset.draftSaved.replace("{time}", time(at)) : form.dataset.draftFailed;
    if (status.textContent !== text) status.textContent = text;
  }

  function offer(kind, draft, action) {
    const notice = form.querySelector(`[data-draft-notice="${kind}"]`);
    const clock = notice.querySelector("time");
    clock.textContent = time(draft.at);
    clock.dateTime = new Date(draft.at).toISOString();
    notice.hidden = false;
    notice.querySelector("button").addEventListener("click", () => {
      action();
      notice.hidden = true;
      form.querySelector("textarea, select, input:not([type=hidden])")?.focus();
    });
  }

  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(save, 400);
  };
  const mine = read(key);
  const before = older(name, version);
  if (form.dataset.posted !== undefined) save(); // the page came back with what was sent: that is newest
  else if (mine) {
    fill(form, mine.entries);
    status.textContent = form.dataset.draftSaved.replace("{time}", time(mine.at));
    offer("restored", mine, () => {
      store((storage) => storage.removeItem(key));
      fill(form, untouched);
      status.textContent = "";
    });
  } else if (before) {
    offer("older", before.draft, () => {
      fill(form, before.draft.entries);
      save();
    });
  }
  form.addEventListener("input", later);
  addEventListener("pagehide", () => {
    if (timer !== undefined && !form.dataset.sent) save();
  });
}

// The page after an accepted submission names the draft that it settles.
for (const done of document.querySelectorAll("[data-draft-done]")) {
  store((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(`${PREFIX}${done.dataset.draftDone}:`)) storage.removeItem(key);
  });
  history.replaceState(null, "", location.pathname);
}
document.querySelectorAll("form[data-draft]").forEach(watch);
