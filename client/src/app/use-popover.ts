import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/** The ref of a popover that closes when somebody goes anywhere, also to the page that is open already. */
export function usePopover<T extends HTMLElement>(): RefObject<T | null> {
  const { key } = useLocation();
  const popover = useRef<T>(null);
  // jsdom has no popovers.
  useEffect(() => popover.current?.hidePopover?.(), [key]);
  return popover;
}
