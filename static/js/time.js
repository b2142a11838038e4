// Times are written in the zone of a cookie. Where there is none, they become the reader's own here,
// and the next page is written in that zone at once.
export function localise(root) {
  for (const time of root.querySelectorAll("time[data-local]")) {
    const when = new Date(time.dateTime);
    time.title = time.textContent;
    time.textContent = when.toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
    time.removeAttribute("data-local");
  }
}

if (!/(^|; )zone=/.test(document.cookie)) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (timeZone) document.cookie = `zone=${timeZone}; path=/; max-age=31536000; samesite=lax${secure}`;
  localise(document);
}
