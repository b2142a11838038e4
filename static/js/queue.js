// The Master's queue by keyboard: j and k move between turns, o opens and closes the one in focus.
const items = () => [...document.querySelectorAll("[data-queue-item]")];

function move(step) {
  const list = items();
  const here = list.findIndex((item) => item.contains(document.activeElement));
  const next = list[Math.min(Math.max(here + step, 0), list.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (!items().length) return;
  if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "o") {
    const fold = document.activeElement.closest("[data-queue-item]")?.querySelector("details");
    if (fold) fold.open = !fold.open;
  } else if (event.key === "x") toggle(document.activeElement.closest("[data-queue-item]"));
  else return;
  event.preventDefault();
});

// What the Master has looked at is remembered on this device.
const keyOf = (item) => `arbitro:seen:${item.dataset.seenKey}`;

function show(item) {
  let seen = false;
  try {
    seen = localStorage.getItem(keyOf(item)) !== null;
  } catch {
    return;
  }
  item.querySelector("[data-seen]").hidden = !seen;
}

function toggle(item) {
  if (!item) return;
  try {
    if (localStorage.getItem(keyOf(item)) === null) localStorage.setItem(keyOf(item), "yes");
    else localStorage.removeItem(keyOf(item));
  } catch {
    return;
  }
  show(item);
}

for (const item of items()) {
  show(item);
  const button = item.querySelector("[data-mark-seen]");
  button.hidden = false;
  button.addEventListener("click", () => toggle(item));
}
