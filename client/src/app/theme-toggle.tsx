import { Moon, Sun } from "lucide-react";
import { useEffect, useState } from "react";
import { applyTheme, onThemeChange, showTheme, storedTheme } from "../lib/theme.ts";

/** Flips between light and dark; follows other tabs. */
export function ThemeToggle() {
  const [theme, setTheme] = useState(storedTheme);

  useEffect(
    () =>
      onThemeChange((next) => {
        showTheme(next);
        setTheme(next);
      }),
    [],
  );

  const flip = () => {
    const next = theme === "dark" ? "light" : "dark";
    applyTheme(next);
    setTheme(next);
  };

  const Icon = theme === "dark" ? Sun : Moon;
  return (
    <button
      type="button"
      className="btn btn-square btn-ghost"
      aria-label={theme === "dark" ? "Switch to light theme" : "Switch to dark theme"}
      // Only in prerendered HTML: index.html's own script flips the theme until this button is there.
      data-early-theme={typeof document === "undefined" ? "" : undefined}
      onClick={flip}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
}
