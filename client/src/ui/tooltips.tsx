import { useEffect, useState } from "react";

/**
 * The tooltips of icon buttons, loaded on the first mouse movement or key press: touch screens do not need them, and
 * screen readers have the buttons' names anyway.
 */
export function Tooltips() {
  const [module, setModule] = useState<typeof import("./icon-tooltip.tsx")>();

  useEffect(() => {
    const listeners = new AbortController();
    const load = (event: Event) => {
      if (event instanceof PointerEvent && event.pointerType !== "mouse") return;
      listeners.abort();
      // The catch also covers Vite's preload of the styles.
      import("./icon-tooltip.tsx").then(setModule).catch(() => undefined);
    };
    for (const type of ["pointerover", "keydown"]) window.addEventListener(type, load, listeners);
    return () => listeners.abort();
  }, []);

  return module ? <module.IconTooltip /> : null;
}
