import Swiper from "swiper";
import { A11y, Autoplay, Navigation, Pagination } from "swiper/modules";
import type { PaginationOptions, SwiperOptions } from "swiper/types";
import "./swiper-engine.css";

export type CarouselOptions = Omit<SwiperOptions, "pagination"> & {
  /** What a slide is called in the labels of the controls. */
  noun: string;
  /** The carousel's name for screen readers. */
  label: string;
  /** Dots by default. */
  pagination?: PaginationOptions;
};

/**
 * Starts Swiper on the `.swiper` inside `root`, with the buttons and pagination beside it. Imported only by
 * carousel.tsx, when the page is idle. Without the Keyboard module: it listens on the document, so an arrow key would
 * move every carousel on the screen; the buttons can be focused instead.
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
    // Do not ignore clicks during a transition.
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

/** Makes slides inert that are not fully visible: Swiper leaves them reachable by Tab and screen readers. */
function hideUnseen({ size, slides, slidesSizesGrid, activeIndex }: Swiper): void {
  const shown = Math.floor(size / (slidesSizesGrid[0] ?? size));
  slides.forEach((slide, index) => {
    slide.inert = index < activeIndex || index >= activeIndex + shown;
  });
}
