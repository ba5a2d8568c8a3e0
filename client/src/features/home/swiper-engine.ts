import Swiper from "swiper";
import { A11y, Autoplay, Navigation, Pagination } from "swiper/modules";
import type { PaginationOptions, SwiperOptions } from "swiper/types";
import "./swiper-engine.css";

export type CarouselOptions = Omit<SwiperOptions, "pagination"> & {
  /** What one slide is called. */
  noun: string;
  /** The carousel's name for screen readers. */
  label: string;
  /** Dots unless told otherwise. */
  pagination?: PaginationOptions;
};

/**
 * Starts Swiper on the `.swiper` inside `root`, with the buttons and the pagination that stand beside it. Loaded by
 * carousel.tsx only, when the page is idle. The Keyboard module stays out: it listens on the document, so an arrow key
 * would move every carousel on the screen; the buttons take the keyboard's focus instead.
 */
export function startSwiper(
  root: HTMLElement,
  { noun, label, pagination, ...options }: CarouselOptions,
): Swiper {
  const find = (selector: string) => root.querySelector<HTMLElement>(selector);
  const strip = find(".swiper");
  if (!strip) throw new Error("A carousel needs a .swiper inside.");
  return new Swiper(strip, {
    modules: [A11y, Autoplay, Navigation, Pagination],
    speed: 600,
    loop: true,
    // A click while the strip still moves counts too.
    loopPreventsSliding: false,
    navigation: { prevEl: find(".swiper-button-prev"), nextEl: find(".swiper-button-next") },
    pagination: { el: find(".swiper-pagination"), clickable: true, bulletElement: "button", ...pagination },
    a11y: {
      containerMessage: label,
      containerRole: "group",
      containerRoleDescriptionMessage: "carousel",
      itemRoleDescriptionMessage: "slide",
      slideLabelMessage: "{{index}} of {{slidesLength}}",
      prevSlideMessage: `Previous ${noun}`,
      nextSlideMessage: `Next ${noun}`,
      paginationBulletMessage: `Go to ${noun} {{index}}`,
    },
    ...options,
    on: {
      afterInit: hideUnseen,
      slideChange: hideUnseen,
      slideChangeTransitionEnd: hideUnseen,
      resize: hideUnseen,
      autoplayStart: ({ wrapperEl }) => wrapperEl.setAttribute("aria-live", "off"),
      autoplayStop: ({ wrapperEl }) => wrapperEl.setAttribute("aria-live", "polite"),
    },
  });
}

/** Swiper leaves slides that are not on the stage, or only with an edge, within reach of the Tab key and of screen readers. */
function hideUnseen({ size, slides, slidesSizesGrid, activeIndex }: Swiper): void {
  const shown = Math.floor(size / (slidesSizesGrid[0] ?? size));
  slides.forEach((slide, index) => {
    slide.inert = index < activeIndex || index >= activeIndex + shown;
  });
}
