import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/**
 * For the heading of a section that loads after the page: scrolls to it once it is there, if the URL's hash is its id.
 * Before that, the page was too short to be scrolled there.
 */
export function useScrollHere(id: string, isLoaded: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const isAddressed = useLocation().hash === `#${id}`;
  useEffect(() => {
    if (isAddressed && isLoaded) heading.current?.scrollIntoView();
  }, [isAddressed, isLoaded]);
  return heading;
}
