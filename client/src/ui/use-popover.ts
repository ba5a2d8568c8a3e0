import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/**
 * The ref of a popover that closes when one of its links is clicked (even to the current page), when the page changes,
 * and when focus moves out of it, since it must not cover the focused element.
 */
export function usePopover<T extends HTMLElement>(): RefObject<T | null> {
  const { pathname } = useLocation();
  const popover = useRef<T>(null);

  // Optional call, because jsdom has no popovers.
  const close = () => popover.current?.hidePopover?.();

  // Not when it mounts: the reader may have opened it before the app had started.
  useEffect(() => close, [pathname]);

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const closeOnLink = ({ target }: MouseEvent) => {
      if ((target as Element).closest("a")) close();
    };
    const closeOnLeave = ({ target }: FocusEvent) => {
      // Not by a press, which the browser handles: on the button that closes it, it would open again.
      const byKeyboard = (target as Element).matches(":focus-visible");
      if (byKeyboard && !popover.current?.contains(target as Element)) close();
    };
    popover.current?.addEventListener("click", closeOnLink, { signal });
    // On the document, because focus may still be on the button that opened it.
    document.addEventListener("focusin", closeOnLeave, { signal });
    return () => listeners.abort();
  }, []);

  return popover;
}
