import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/**
 * The ref of a popover that closes when one of its links is followed, also to the page that is open already, when another
 * page opens, and when Tab leads out of it: the keyboard goes on with the page, which must not lie under it.
 */
export function usePopover<T extends HTMLElement>(): RefObject<T | null> {
  const { pathname } = useLocation();
  const popover = useRef<T>(null);

  // jsdom has no popovers.
  const close = () => popover.current?.hidePopover?.();

  useEffect(close, [pathname]);

  useEffect(() => {
    const following = new AbortController();
    const { signal } = following;
    const follow = ({ target }: MouseEvent) => {
      if ((target as Element).closest("a")) close();
    };
    const leave = ({ key }: KeyboardEvent) => {
      if (key === "Tab") setTimeout(() => popover.current?.contains(document.activeElement) || close());
    };
    popover.current?.addEventListener("click", follow, { signal });
    // On the whole page: focus stays on the button that opens it.
    document.addEventListener("keydown", leave, { signal });
    return () => following.abort();
  }, []);

  return popover;
}
