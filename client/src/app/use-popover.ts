import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/**
 * The ref of a popover that closes when one of its links is followed, also to the page that is open already, and when
 * another page opens.
 */
export function usePopover<T extends HTMLElement>(): RefObject<T | null> {
  const { pathname } = useLocation();
  const popover = useRef<T>(null);

  // jsdom has no popovers.
  useEffect(() => popover.current?.hidePopover?.(), [pathname]);

  useEffect(() => {
    const following = new AbortController();
    const follow = ({ target }: MouseEvent) => {
      if ((target as Element).closest("a")) popover.current?.hidePopover?.();
    };
    popover.current?.addEventListener("click", follow, { signal: following.signal });
    return () => following.abort();
  }, []);

  return popover;
}
