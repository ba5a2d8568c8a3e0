import { CarouselControls } from "./carousel/carousel-controls.tsx";
import type { CarouselOptions } from "./carousel/swiper-engine.ts";
import { useCarousel } from "./carousel/use-carousel.ts";
import { categories } from "./content/categories.ts";
import { Typewriter } from "./motion/typewriter.tsx";

/** SPEC section 9. `SLIDE` below gives the plain markup the same widths. */
const OPTIONS: CarouselOptions = {
  delay: 2500,
  speed: 600,
  spaceBetween: 20,
  breakpoints: {
    320: { slidesPerView: 1 },
    480: { slidesPerView: 1 },
    640: { slidesPerView: 2 },
    768: { slidesPerView: 3 },
    1024: { slidesPerView: 4 },
  },
};
const SLIDE =
  "swiper-slide mr-5 h-auto w-full shrink-0 sm:w-[calc((100%-20px)/2)] md:w-[calc((100%-40px)/3)] lg:w-[calc((100%-60px)/4)]";

/** The categories as a strip of pictures (SPEC section 2, Home). They lead nowhere. One pause stops strip and typing. */
export function CategoryCarousel() {
  const carousel = useCarousel(OPTIONS);
  return (
    <section aria-labelledby="categories" data-theme="tasklane-dark" className="bg-[#0b3a31]">
      <div className="page py-16 md:py-24">
        <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6" data-reveal>
          <div>
            <h2
              id="categories"
              className="text-4xl leading-[1.06] font-semibold text-wrap sm:text-[2.75rem] lg:text-5xl xl:text-6xl"
            >
              <Typewriter
                text="Empower Your Freelance Journey."
                playing={carousel.playing}
                where={carousel.where}
              />
            </h2>
            <h3 className="mt-4 text-lg font-medium tracking-normal text-wrap sm:text-xl">
              Post Tasks or Get Hired — All in One Platform
            </h3>
          </div>
          <CarouselControls carousel={carousel} noun={["category", "categories"]} />
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: the carousel pattern says group; the section around is the landmark. */}
        <div
          ref={carousel.strip}
          role="group"
          aria-roledescription="carousel"
          aria-label="Categories"
          className="swiper mt-10 overflow-hidden"
          {...carousel.focusHandlers}
        >
          <div className="swiper-wrapper flex" aria-live={carousel.playing ? "off" : "polite"}>
            {categories.map(({ name, image, alt }, position) => (
              // biome-ignore lint/a11y/useSemanticElements: a slide is no fieldset; the carousel pattern says group.
              <div
                key={name}
                role="group"
                aria-roledescription="slide"
                aria-label={`${position + 1} of ${categories.length}`}
                className={SLIDE}
              >
                <figure>
                  <img
                    src={image}
                    alt={alt}
                    width={480}
                    height={360}
                    loading="lazy"
                    className="block h-auto w-full"
                  />
                  <figcaption className="mt-3 text-lg font-semibold">{name}</figcaption>
                </figure>
              </div>
            ))}
          </div>
        </div>
      </div>
    </section>
  );
}
