import type Aos from "aos";
import { type RefObject, useEffect, useState } from "react";
import { useMedia } from "../../ui/use-media.ts";

/** Whether the user's system asks for reduced motion. Follows the setting while the page is open. */
export function useReducedMotion(): boolean {
  return useMedia("(prefers-reduced-motion: reduce)");
}

/** Whether an element is currently on the screen. */
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
 * Scroll animations (AOS) for the `data-reveal` elements inside `root`; none if reduced motion is preferred. AOS is
 * loaded at the first scroll. Elements already on the screen are left alone: hiding and showing them would flash.
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
      // AOS measures only once, and featured tasks that load late move everything below them.
      resized = new ResizeObserver(() => aos.refresh());
      resized.observe(root.current);
    };
    // If AOS fails to load, everything is visible anyway.
    const onScroll = () => void start().catch(() => undefined);
    window.addEventListener("scroll", onScroll, { once: true });
    return () => {
      unmounted = true;
      window.removeEventListener("scroll", onScroll);
      resized?.disconnect();
    };
  }, [reduced, root]);
}
