import { ChevronLeft, ChevronRight, type LucideIcon, Pause, Play } from "lucide-react";
import { type ButtonHTMLAttributes, type FocusEvent, useEffect, useRef, useState } from "react";
import type Swiper from "swiper";
import { whenIdle } from "../../ui/lazy-module.ts";
import { useInView, useReducedMotion } from "./motion.tsx";
import type { CarouselOptions } from "./swiper-engine.ts";

/**
 * State of a carousel and of other motion in its section. `root` wraps the controls and a `.swiper` of plain slides.
 * Swiper is fetched when the page is idle and takes over the same markup, so nothing moves when it has loaded.
 * @param options must be referentially stable.
 */
export function useCarousel(options: CarouselOptions) {
  const root = useRef<HTMLElement>(null);
  const inView = useInView(root);
  const [wasInView, setWasInView] = useState(false);
  const reduced = useReducedMotion();
  const [choice, setChoice] = useState<boolean | null>(null);
  const [focused, setFocused] = useState(false);
  const [swiper, setSwiper] = useState<Swiper | null>(null);
  if (inView && !wasInView) setWasInView(true);

  useEffect(() => {
    if (!wasInView) return;
    let unmounted = false;
    let started: Swiper | null = null;
    const cancel = whenIdle(() => {
      import("./swiper-engine.ts").then(
        ({ startSwiper }) => {
          if (unmounted || !root.current) return;
          started = startSwiper(root.current, options);
          setSwiper(started);
        },
        // Without Swiper the first slides are visible, and the controls stay hidden.
        () => undefined,
      );
    });
    return () => {
      unmounted = true;
      cancel();
      started?.destroy();
      setSwiper(null);
    };
  }, [wasInView, options]);

  const playing = choice ?? !reduced;
  // A click or swipe does not stop autoplay, but a link with keyboard focus must not slide away.
  const running = options.autoplay !== undefined && playing && inView && !focused;
  useEffect(() => {
    if (running) swiper?.autoplay.start();
    else swiper?.autoplay.stop();
  }, [swiper, running]);

  return {
    root,
    noun: options.noun,
    playing,
    /** Whether other animations in the section should run. */
    moving: playing && inView,
    ready: swiper !== null,
    toggle: () => setChoice(!playing),
    /** Props for the `.swiper` element. */
    focusHandlers: {
      onFocus: (event: FocusEvent) => setFocused(event.target.matches(":focus-visible")),
      onBlur: () => setFocused(false),
    },
  };
}

type ControlsProps = {
  carousel: ReturnType<typeof useCarousel>;
  /** What the pause button pauses, for its label. */
  pauses: string;
  /** Shows the pagination: dots, unless the carousel's options define another type. */
  paginated?: boolean;
};

/**
 * Previous, next, pagination, and a pause button, which Swiper lacks. Invisible until Swiper has started, but their
 * space is reserved.
 */
export function CarouselControls({ carousel, pauses, paginated = false }: ControlsProps) {
  const { noun, playing, ready, toggle } = carousel;
  return (
    <div
      className={`inline-flex max-w-full flex-wrap items-center gap-1 rounded-3xl border border-base-300 bg-base-100 p-1 text-base-content ${ready ? "" : "invisible"}`}
    >
      <Control className="swiper-button-prev" aria-label={`Previous ${noun}`} icon={ChevronLeft} />
      {paginated && (
        <div
          className="swiper-pagination static flex w-auto min-w-20 items-center justify-center gap-1 font-medium tabular-nums"
          aria-live={playing ? undefined : "polite"}
        />
      )}
      <Control className="swiper-button-next" aria-label={`Next ${noun}`} icon={ChevronRight} />
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-base-300" />
      <Control
        aria-label={playing ? `Pause the ${pauses}` : `Play the ${pauses}`}
        icon={playing ? Pause : Play}
        onClick={toggle}
      />
    </div>
  );
}

type ControlProps = ButtonHTMLAttributes<HTMLButtonElement> & { icon: LucideIcon };

function Control({ icon: Icon, className = "", ...props }: ControlProps) {
  return (
    <button type="button" className={`btn btn-circle btn-ghost ${className}`} {...props}>
      <Icon className="size-5" />
    </button>
  );
}
