import { useEffect, useState } from "react";

/** What has a tooltip: every button or link that is only an icon, and what brings a text of its own. */
const ANCHORS = ".btn-square[aria-label], .btn-circle[aria-label], [data-tooltip-content]";

/** Whoever magnifies the page can send away what covers it. */
const CLOSED_BY = { escape: true };

/**
 * One tooltip for the whole app: an icon button shows its accessible name, without anything said at the button. The
 * library is loaded when somebody first moves the mouse or presses a key: a touch screen has no use for it. Its styles come
 * from the file: injected ones would need a weaker Content-Security-Policy.
 */
export function Tooltips() {
  const [library, setLibrary] = useState<typeof import("react-tooltip")>();

  useEffect(() => {
    const stop = new AbortController();
    const load = (event: Event) => {
      if (event instanceof PointerEvent && event.pointerType !== "mouse") return;
      stop.abort();
      // The names are there for screen readers without it.
      Promise.all([import("react-tooltip"), import("react-tooltip/dist/react-tooltip.css")]).then(
        ([loaded]) => setLibrary(loaded),
        () => undefined,
      );
    };
    for (const type of ["pointerover", "keydown"]) window.addEventListener(type, load, stop);
    return () => stop.abort();
  }, []);

  if (!library) return null;
  return (
    <library.Tooltip
      anchorSelect={ANCHORS}
      place="bottom"
      className="z-40 rounded-field [--rt-color-dark:var(--color-neutral)] [--rt-color-white:var(--color-neutral-content)] [--rt-opacity:1] pointer-coarse:hidden"
      closeEvents={{ mouseleave: true, blur: true, click: true }}
      globalCloseEvents={CLOSED_BY}
      disableStyleInjection="core"
      render={({ content, activeAnchor }) => content ?? activeAnchor?.getAttribute("aria-label")}
    />
  );
}
