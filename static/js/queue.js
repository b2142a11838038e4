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
  } else return;
  event.preventDefault();
});
