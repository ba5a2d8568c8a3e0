import { Tooltip } from "react-tooltip";
// Its styles come from this file: injected ones would need a weaker Content-Security-Policy.
import "react-tooltip/dist/react-tooltip.css";

/** What has a tooltip: every button or link that is only an icon, and what brings a text of its own. */
const ANCHORS = ".btn-square[aria-label], .btn-circle[aria-label], [data-tooltip-content]";

/** Whoever magnifies the page can send away what covers it. */
const CLOSED_BY = { escape: true };

/** What the button opens is open, and would stand over the tooltip. */
function isOpen(anchor: Element | null): boolean {
  const { popoverTargetElement: opened } = anchor as HTMLButtonElement;
  return opened?.matches(":popover-open") === true;
}

/** One tooltip for the whole app: an icon button shows its accessible name, without anything said at the button. */
export function IconTooltip() {
  return (
    <Tooltip
      anchorSelect={ANCHORS}
      place="bottom"
      className="z-40 max-w-[min(20rem,90vw)] rounded-field wrap-anywhere [--rt-color-dark:var(--color-neutral)] [--rt-color-white:var(--color-neutral-content)] [--rt-opacity:1] pointer-coarse:hidden"
      closeEvents={{ mouseleave: true, blur: true, click: true }}
      globalCloseEvents={CLOSED_BY}
      disableTooltip={isOpen}
      disableStyleInjection="core"
      render={({ content, activeAnchor }) => content ?? activeAnchor?.getAttribute("aria-label")}
    />
  );
}
