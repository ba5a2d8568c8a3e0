import type Aos from "aos";
import { type RefObject, useEffect, useState } from "react";
import { useMedia } from "../../ui/use-media.ts";

/** Whether the person asked their system for less motion. Follows the setting while the page is open. */
export function useReducedMotion(): boolean {
  return useMedia("(prefers-reduced-motion: reduce)");
}

/** Whether an element is on the screen now. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) =>
      setInView(entries.at(-1)?.isIntersecting === true),
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return inView;
}

const REVEAL: Aos.AosOptions = {
  duration: 1000,
  once: false,
  easing: "ease-out-cubic",
  offset: 80,
  disableMutationObserver: true,
};

let initialized = false;

/**
 * Scroll animations, by AOS, for what is marked `data-reveal` inside `root`. AOS is loaded at the first scroll, and what is
 * on the screen by then stays as it is: to hide it and show it again would be a flash. None where less motion is wanted.
 */
export function useReveal(root: RefObject<HTMLElement | null>): void {
  const reduced = useReducedMotion();

  useEffect(() => {
    if (reduced) return;
    let unmounted = false;
    let resized: ResizeObserver | undefined;
    const start = async () => {
      const [{ default: aos }] = await Promise.all([import("aos"), import("./reveal.css")]);
      if (unmounted || !root.current) return;
      for (const element of root.current.querySelectorAll("[data-reveal]")) {
        if (element.getBoundingClientRect().top > window.innerHeight)
          element.setAttribute("data-aos", "fade-up");
      }
      if (initialized) aos.refreshHard();
      else aos.init(REVEAL);
      initialized = true;
      // AOS measures once; tasks that arrive late move all that is below them.
      resized = new ResizeObserver(() => aos.refresh());
      resized.observe(root.current);
    };
    // Everything is visible without it.
    const onScroll = () => void start().catch(() => undefined);
    window.addEventListener("scroll", onScroll, { once: true });
    return () => {
      unmounted = true;
      window.removeEventListener("scroll", onScroll);
      resized?.disconnect();
    };
  }, [reduced, root]);
}
