import { Moon, Sun } from "lucide-react";
import { useEffect } from "react";
import { applyTheme, onThemeChange, shownTheme, showTheme } from "../lib/theme.ts";

/**
 * Flips between light and dark; follows other tabs. What it says is left to CSS, so that a prerendered button is right
 * before any script has run.
 */
export function ThemeToggle() {
  useEffect(() => onThemeChange(showTheme), []);

  return (
    <button
      type="button"
      className="btn btn-square btn-ghost"
      // Only in prerendered HTML: index.html's own script flips the theme until this button is there.
      data-early-theme={typeof document === "undefined" ? "" : undefined}
      onClick={() => applyTheme(shownTheme() === "dark" ? "light" : "dark")}
    >
      <Moon aria-hidden="true" className="size-5 dark:hidden" />
      <Sun aria-hidden="true" className="hidden size-5 dark:block" />
      <span className="sr-only dark:hidden">Switch to dark theme</span>
      <span className="sr-only hidden dark:block">Switch to light theme</span>
    </button>
  );
}
