export type Theme = "light" | "dark";

const KEY = "theme";

/** The stored theme; light if there is none or storage is blocked. index.html does the same before first paint. */
export function storedTheme(): Theme {
  try {
    return localStorage.getItem(KEY) === "dark" ? "dark" : "light";
  } catch {
    return "light";
  }
}

/** The theme on the screen. */
export function shownTheme(): Theme {
  return document.documentElement.classList.contains("dark") ? "dark" : "light";
}

/** Shows the theme and remembers it. */
export function applyTheme(theme: Theme): void {
  showTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage is blocked: the choice lasts until the tab closes.
  }
}

/** The browser UI's colors, the same as the top bar's (also in index.html). */
const BAR_COLORS = { light: "#ffffff", dark: "#17211e" } as const;

/** Shows the theme without storing it. `data-theme` is what daisyUI reads. */
export function showTheme(theme: Theme): void {
  const root = document.documentElement;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BAR_COLORS[theme]);
  root.classList.toggle("dark", theme === "dark");
  root.dataset["theme"] = theme === "dark" ? "tasklane-dark" : "tasklane";
}

/** Calls back whenever another tab changes the theme, for as long as the page lives. */
export function onThemeChange(listener: (theme: Theme) => void): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === KEY) listener(newValue === "dark" ? "dark" : "light");
  });
}
