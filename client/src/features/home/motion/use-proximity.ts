import { type RefObject, useEffect, useState } from "react";

/** How far below the fold something counts as near: time to fetch what it needs before it is seen. */
const NEAR = "400px 0px";

export type Proximity = {
  /** It is, or once was, about to be seen. */
  near: boolean;
  /** It is being seen now. */
  seen: boolean;
};

/** Where an element is in relation to what the person sees. Without IntersectionObserver it stays far, and still. */
export function useProximity(element: RefObject<Element | null>): Proximity {
  const [near, setNear] = useState(false);
  const [seen, setSeen] = useState(false);

  useEffect(() => {
    const target = element.current;
    if (!target || typeof IntersectionObserver === "undefined") return;
    const approach = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        setNear(true);
        approach.disconnect();
      },
      { rootMargin: NEAR },
    );
    const sight = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? false));
    approach.observe(target);
    sight.observe(target);
    return () => {
      approach.disconnect();
      sight.disconnect();
    };
  }, [element]);

  return { near, seen };
}
