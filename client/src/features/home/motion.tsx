import type Aos from "aos";
import { type RefObject, useEffect, useMemo, useState } from "react";
import type { useTypewriter } from "react-simple-typewriter";
import { lazyModule } from "../../ui/lazy-module.ts";
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

const useLibrary = lazyModule(() => import("react-simple-typewriter"));

const TYPE_MS = 70;
const DELETE_MS = 50;
/** Pause for reading the line before it is deleted. */
const REST_MS = 3000;

/**
 * A headline that a caret appears to type while `playing`. The text itself is always there in full, for screen readers,
 * print and find-in-page.
 */
export function Typewriter({ text, playing }: { text: string; playing: boolean }) {
  return playing ? <Typing text={text} /> : text;
}

function Typing({ text }: { text: string }) {
  const library = useLibrary();
  if (!library) return text;
  return (
    <span className="relative block">
      {text}
      <Caret text={text} hook={library.useTypewriter} />
    </span>
  );
}

/** A transparent copy of the text with the caret after the typed part, so that it wraps exactly where the text does. */
function Caret({ text, hook: useTyped }: { text: string; hook: typeof useTypewriter }) {
  // A new array would restart the hook.
  const words = useMemo(() => [text], [text]);
  const [typed] = useTyped({
    words,
    loop: 0,
    typeSpeed: TYPE_MS,
    deleteSpeed: DELETE_MS,
    delaySpeed: REST_MS,
  });
  return (
    <span
      aria-hidden="true"
      data-typed={typed}
      data-rest={text.slice(typed.length)}
      className="pointer-events-none absolute inset-0 text-transparent before:-mr-[3px] before:border-r-3 before:border-accent before:content-[attr(data-typed)] after:content-[attr(data-rest)] print:hidden"
    />
  );
}
