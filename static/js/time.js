// Times are written in UTC for everybody; where scripts run they become the reader's own.
export function localise(root) {
  for (const time of root.querySelectorAll("time[data-local]")) {
    const when = new Date(time.dateTime);
    time.title = time.textContent;
    time.textContent = when.toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
    time.removeAttribute("data-local");
  }
}

localise(document);
