import Swiper from "swiper";
import { A11y, Autoplay } from "swiper/modules";
import type { SwiperOptions } from "swiper/types";
import "./swiper-engine.css";

export type CarouselOptions = Pick<SwiperOptions, "spaceBetween" | "breakpoints" | "speed"> & {
  /** Between two moves, in ms. */
  delay: number;
};

/** Brings a strip of `.swiper-slide` to life. Loaded lazily, by use-carousel.ts only. */
export function startSwiper(
  element: HTMLElement,
  { delay, ...options }: CarouselOptions,
  onMove: (index: number) => void,
): Swiper {
  const settle = (swiper: Swiper) => {
    hideUnseen(swiper);
    onMove(swiper.realIndex);
  };
  return new Swiper(element, {
    ...options,
    modules: [Autoplay, A11y],
    loop: true,
    // A click while the strip still moves counts too.
    loopPreventsSliding: false,
    // Counted from move to move, not from the end of one to the beginning of the next.
    autoplay: { delay, disableOnInteraction: false, waitForTransition: false },
    // The region's names and the live region are in the markup, from the first paint on.
    a11y: {
      itemRoleDescriptionMessage: "slide",
      slideLabelMessage: "{{index}} of {{slidesLength}}",
      wrapperLiveRegion: false,
    },
    on: { afterInit: settle, slideChange: settle, slideChangeTransitionEnd: settle, breakpoint: settle },
  });
}

/** Slides out of sight are out of reach too, for the Tab key and for screen readers. */
function hideUnseen(swiper: Swiper): void {
  const { slidesPerView } = swiper.params;
  const shown = typeof slidesPerView === "number" ? slidesPerView : 1;
  swiper.slides.forEach((slide, index) => {
    slide.inert = index < swiper.activeIndex || index >= swiper.activeIndex + shown;
  });
}
