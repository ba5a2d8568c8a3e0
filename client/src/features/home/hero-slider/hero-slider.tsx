import { CarouselControls } from "../carousel/carousel-controls.tsx";
import type { CarouselOptions } from "../carousel/swiper-engine.ts";
import { useCarousel } from "../carousel/use-carousel.ts";
import { slides } from "../content/slides.ts";
import { SlidePanel } from "./slide-panel.tsx";

/** SPEC section 9: 3000 ms. */
const OPTIONS: CarouselOptions = { delay: 3000, speed: 600 };

/** The auto-playing hero slider (SPEC section 2, Home). */
export function HeroSlider() {
  const carousel = useCarousel(OPTIONS);
  return (
    <section aria-roledescription="carousel" aria-label="What you can do here" className="relative">
      <div ref={carousel.strip} className="swiper overflow-hidden" {...carousel.focusHandlers}>
        <div className="swiper-wrapper flex" aria-live={carousel.playing ? "off" : "polite"}>
          {slides.map((slide, position) => (
            <SlidePanel key={slide.id} slide={slide} position={position} count={slides.length} />
          ))}
        </div>
      </div>
      <div className="md:pointer-events-none md:absolute md:inset-x-0 md:bottom-8 md:z-2">
        <div className="page flex justify-center py-4 md:justify-start md:py-0">
          <div className="md:pointer-events-auto">
            <CarouselControls carousel={carousel} noun={["slide", "slides"]} dots={slides.length} />
          </div>
        </div>
      </div>
    </section>
  );
}
