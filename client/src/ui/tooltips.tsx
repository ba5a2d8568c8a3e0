import { useEffect, useState } from "react";

/**
 * Where the tooltips of icon buttons appear. They are loaded when somebody first moves the mouse or presses a key: a touch
 * screen has no use for them, and the names are there for screen readers without them.
 */
export function Tooltips() {
  const [module, setModule] = useState<typeof import("./icon-tooltip.tsx")>();

  useEffect(() => {
    const stop = new AbortController();
    const load = (event: Event) => {
      if (event instanceof PointerEvent && event.pointerType !== "mouse") return;
      stop.abort();
      // Caught behind what Vite takes into its preload of the styles, which may fail too.
      import("./icon-tooltip.tsx").then(setModule).catch(() => undefined);
    };
    for (const type of ["pointerover", "keydown"]) window.addEventListener(type, load, stop);
    return () => stop.abort();
  }, []);

  return module ? <module.IconTooltip /> : null;
}
