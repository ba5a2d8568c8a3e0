import { dismissPrompt } from "../ui/confirm.ts";

const OVERLAYS = "dialog[open], :popover-open, .tl-popup:not(.swal2-toast)";

/** Back closes what is open over the page first, in browsers with the Navigation API. */
export function closeOnBack(): void {
  window.navigation?.addEventListener("navigate", (event) => {
    if (event.navigationType !== "traverse" || !event.cancelable) return;
    const overlay = [...document.querySelectorAll<HTMLElement>(OVERLAYS)].at(-1);
    if (!overlay) return;
    event.preventDefault();
    if (overlay instanceof HTMLDialogElement) overlay.close();
    else if (overlay.popover) overlay.hidePopover();
    else dismissPrompt(overlay);
  });
}
