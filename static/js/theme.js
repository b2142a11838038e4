// Runs before the page is painted, so that a chosen theme never flashes; hence not a module.
(() => {
  const KEY = "arbitro:theme";
  const root = document.documentElement;
  const stored = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is closed to us: the system's theme stays
    }
  };
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  apply(stored());
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-theme-choice]")) return;
    const theme = event.target.value;
    apply(theme);
    try {
      if (theme === "auto") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // the choice holds for this page only
    }
  });
  document.addEventListener("DOMContentLoaded", () => {
    for (const choice of document.querySelectorAll("[data-theme-choice]")) {
      choice.value = stored() ?? "auto";
      choice.closest("[hidden]")?.removeAttribute("hidden");
    }
  });
})();
