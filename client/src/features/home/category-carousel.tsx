import { CATEGORIES } from "@tasklane/server/contract";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { site } from "../../lib/site.ts";
import design from "./art/category-design.svg";
import marketing from "./art/category-marketing.svg";
import seo from "./art/category-seo.svg";
import smartAi from "./art/category-smart-ai.svg";
import webDevelopment from "./art/category-web-development.svg";
import writing from "./art/category-writing.svg";
import { CarouselControls, useCarousel } from "./carousel.tsx";
import { Typewriter } from "./motion.tsx";
import type { CarouselOptions } from "./swiper-engine.ts";

/** The six categories advertised here; tasks have only four of them. */
const CARDS = [
  { name: "Web Development", image: webDevelopment, alt: "A code window with two lanes running through it" },
  { name: "Design", image: design, alt: "A pen nib drawing a curve between anchor points" },
  { name: "Writing", image: writing, alt: "A pencil drawing the last line of a page onward" },
  { name: "SEO", image: seo, alt: "A magnifying glass over the highest step of a rising line" },
  { name: "Marketing", image: marketing, alt: "A megaphone sending cards out on three lanes" },
  { name: "Smart Ai Services", image: smartAi, alt: "A chip with a spark where several lanes meet" },
];

const OPTIONS: CarouselOptions = {
  noun: "category",
  label: "Categories",
  autoplay: { delay: 2500, disableOnInteraction: false, waitForTransition: false },
  // The CSS sets width and margin, so that the edge of the next slide shows before and after Swiper starts.
  slidesPerView: "auto",
};
/** 1 slide, 2 from 640 px, 3 from 768 px and 4 from 1024 px, 20 px apart, plus the edge of the next. */
const SLIDE =
  "swiper-slide relative mr-5 h-auto w-[86%] shrink-0 sm:w-[calc((91%-20px)/2)] md:w-[calc((91%-40px)/3)] lg:w-[calc((91%-60px)/4)]";

/** The categories as a strip of pictures; those that tasks have lead to them. One pause button stops both the strip and the typing. */
export function CategoryCarousel() {
  const carousel = useCarousel(OPTIONS);
  return (
    <section
      ref={carousel.root}
      aria-labelledby="categories"
      data-theme="tasklane-dark"
      className="bg-[#0b3a31]"
    >
      <div className="page py-9 md:py-20">
        <div data-reveal>
          <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
            <div>
              <h2
                id="categories"
                className="text-3xl leading-tight font-semibold text-wrap sm:text-4xl lg:text-5xl"
              >
                <Typewriter text="Empower Your Freelance Journey." playing={carousel.moving} />
              </h2>
              <h3 className="mt-2 font-medium tracking-normal text-wrap sm:text-xl">
                Post Tasks or Get Hired — All in One Platform
              </h3>
            </div>
            <CarouselControls carousel={carousel} pauses="categories" />
          </div>
          <div
            className="swiper relative mt-8 -mr-(--gutter) overflow-hidden md:mt-10 xl:mask-r-from-93%"
            {...carousel.focusHandlers}
          >
            <div className="swiper-wrapper flex">
              {CARDS.map(({ name, image, alt }) => (
                <figure key={name} className={SLIDE}>
                  <img
                    src={image}
                    alt={alt}
                    width={480}
                    height={360}
                    loading="lazy"
                    className="block h-auto w-full"
                  />
                  <figcaption className="mt-3 text-lg font-semibold">
                    {CATEGORIES.some((category) => category === name) ? (
                      <Link
                        to={paths.browseCategory(name)}
                        className="link-hover link after:absolute after:inset-0"
                      >
                        {name}
                      </Link>
                    ) : (
                      <>
                        {name}{" "}
                        <span className="block text-sm font-normal opacity-80">Not yet on {site.brand}</span>
                      </>
                    )}
                  </figcaption>
                </figure>
              ))}
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}
