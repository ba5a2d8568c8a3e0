import { type FocusEvent, useEffect, useRef, useState } from "react";
import type Swiper from "swiper";
import { useProximity } from "../motion/use-proximity.ts";
import { useReducedMotion } from "../motion/use-reduced-motion.ts";
import { whenIdle } from "../motion/when-idle.ts";
import type { CarouselOptions } from "./swiper-engine.ts";

/**
 * A carousel whose slides are plain markup from the first paint on. Swiper is fetched when the page is idle and the
 * carousel is near, and takes over that same markup, so nothing moves when it arrives.
 * `options` must be a constant.
 */
export function useCarousel(options: CarouselOptions) {
  const strip = useRef<HTMLDivElement>(null);
  const where = useProximity(strip);
  const reduced = useReducedMotion();
  const [swiper, setSwiper] = useState<Swiper | null>(null);
  const [index, setIndex] = useState(0);
  const [choice, setChoice] = useState<boolean | null>(null);
  const [focused, setFocused] = useState(false);

  useEffect(() => {
    if (!where.near) return;
    let left = false;
    let started: Swiper | null = null;
    const cancel = whenIdle(() => {
      import("./swiper-engine.ts").then(
        ({ startSwiper }) => {
          if (left || !strip.current) return;
          started = startSwiper(strip.current, options, setIndex);
          setSwiper(started);
        },
        // The first slides stand there without it, and the controls stay hidden.
        () => {},
      );
    });
    return () => {
      left = true;
      cancel();
      started?.destroy();
      setSwiper(null);
    };
  }, [where.near, options]);

  const playing = choice ?? !reduced;
  // Interaction does not stop it (SPEC section 4), but a link with the keyboard's focus on it must not slide away.
  const running = playing && where.seen && !focused;
  useEffect(() => {
    if (running) swiper?.autoplay.start();
    else swiper?.autoplay.stop();
  }, [swiper, running]);

  return {
    strip,
    where,
    index,
    playing,
    ready: swiper !== null,
    toggle: () => setChoice(!playing),
    next: () => swiper?.slideNext(),
    previous: () => swiper?.slidePrev(),
    goTo: (target: number) => swiper?.slideToLoop(target),
    /** For the element around the slides. */
    focusHandlers: {
      onFocus: (event: FocusEvent) => setFocused(event.target.matches(":focus-visible")),
      onBlur: () => setFocused(false),
    },
  };
}

export type Carousel = ReturnType<typeof useCarousel>;
