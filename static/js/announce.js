// One polite live region for the whole page.
const region = document.getElementById("announcer");

export function announce(text) {
  if (!region) return;
  region.textContent = "";
  // A change of text is announced; the same text again is not, unless it was away for a moment.
  setTimeout(() => (region.textContent = text), 50);
}
