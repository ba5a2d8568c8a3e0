import { Tooltip } from "react-tooltip";
// Imported, because injected styles would need a weaker Content-Security-Policy.
import "react-tooltip/dist/react-tooltip.css";

/** Icon-only buttons and links, and elements with their own tooltip text. */
const ANCHORS = ".btn-square[aria-label], .btn-circle[aria-label], [data-tooltip-content]";

/** People who magnify the page can dismiss a tooltip that covers it (WCAG 1.4.13). */
const CLOSED_BY = { escape: true };

/** Whether the button's popover is open, which would cover the tooltip. */
function isOpen(anchor: Element | null): boolean {
  const { popoverTargetElement: popover } = anchor as HTMLButtonElement;
  return popover?.matches(":popover-open") === true;
}

/** A single tooltip for the whole app: icon buttons automatically show their accessible name. */
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
