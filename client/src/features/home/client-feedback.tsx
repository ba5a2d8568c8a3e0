import { Stars } from "../../ui/stars.tsx";
import idris from "./art/portrait-idris.svg";
import maren from "./art/portrait-maren.svg";
import yuki from "./art/portrait-yuki.svg";
import { CarouselControls, useCarousel } from "./carousel.tsx";
import { Typewriter } from "./motion.tsx";
import type { CarouselOptions } from "./swiper-engine.ts";

const TESTIMONIALS = [
  {
    name: "Idris Bello",
    title: "Owner of a print shop",
    image: idris,
    feedback:
      "I had four bids on a web shop repair by the next morning, and the work was good. Still, sorting out the invoice was up to the two of us, and my first description was too vague to get a fair price. Worth using again, with more preparation on my side.",
    stars: 3,
  },
  {
    name: "Maren Solberg",
    title: "Marketing lead at a trail running festival",
    image: maren,
    feedback:
      "The fixed price ends a conversation I never liked having. We have posted six tasks since spring, from a route map to race-day emails, and five came in on time. I would love to filter by language as well.",
    stars: 4,
  },
  {
    name: "Yuki Tanabe",
    title: "Head of content at a language school",
    image: yuki,
    feedback:
      "I needed 30 listening scripts proofread in nine days and had given up on finding somebody. The editor who bid had taught for years, caught two factual mistakes, and delivered a day early. She is now the first person I call.",
    stars: 5,
  },
];

const OPTIONS: CarouselOptions = {
  noun: "feedback",
  label: "Testimonials",
  pagination: {
    type: "fraction",
    renderFraction: (current, total) => `<span class="${current}"></span> of <span class="${total}"></span>`,
  },
};

/** Testimonials, one at a time, without autoplay; previous and next wrap around. */
export function ClientFeedback() {
  const carousel = useCarousel(OPTIONS);
  return (
    <section ref={carousel.root} aria-labelledby="feedback" className="page py-9 md:py-20">
      <div data-reveal>
        <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
          <h2
            id="feedback"
            className="text-3xl leading-tight font-semibold text-wrap wrap-anywhere sm:text-4xl lg:text-5xl"
          >
            <Typewriter text="We Love Our Client Feedback." playing={carousel.moving} />
          </h2>
          <CarouselControls carousel={carousel} pauses="typing" paginated />
        </div>
        <div className="card mt-8 min-w-0 shadow-card md:mt-10">
          <div className="swiper relative w-full overflow-hidden">
            <div className="swiper-wrapper flex">
              {TESTIMONIALS.map(({ name, title, image, feedback, stars }, index) => (
                <figure
                  key={name}
                  inert={index > 0}
                  className="swiper-slide grid h-auto w-full shrink-0 content-between gap-x-12 gap-y-6 p-6 wrap-anywhere sm:p-10 lg:grid-cols-[15rem_minmax(0,1fr)] lg:content-center xl:gap-x-16"
                >
                  <div className="space-y-4 lg:order-2">
                    <Stars stars={stars} />
                    <blockquote className="max-w-3xl text-lg leading-relaxed text-pretty sm:text-2xl sm:leading-relaxed">
                      {feedback}
                    </blockquote>
                  </div>
                  <figcaption className="flex items-center gap-4 lg:order-1 lg:flex-col lg:items-start">
                    <img
                      src={image}
                      alt={`Portrait of ${name}`}
                      width={64}
                      height={64}
                      loading="lazy"
                      className="size-16 shrink-0 rounded-full lg:size-36"
                    />
                    <div>
                      <p className="text-lg font-semibold">{name}</p>
                      <p className="quiet">{title}</p>
                    </div>
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
