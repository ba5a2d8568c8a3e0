import { type RefObject, useEffect } from "react";
import { useReducedMotion } from "./use-reduced-motion.ts";
import { whenIdle } from "./when-idle.ts";

/** Scroll animations for what is marked `data-reveal` inside `root`; none, and no library, where less motion is wanted. */
export function useReveal(root: RefObject<HTMLElement | null>): void {
  const reduced = useReducedMotion();

  useEffect(() => {
    if (reduced || typeof IntersectionObserver === "undefined") return;
    let stop = () => {};
    let left = false;
    const cancel = whenIdle(() => {
      import("./reveal-engine.ts").then(
        ({ startReveal }) => {
          if (!left && root.current) stop = startReveal(root.current);
        },
        // Everything is visible without it.
        () => {},
      );
    });
    return () => {
      left = true;
      cancel();
      stop();
    };
  }, [reduced, root]);
}
