import type { MouseEvent } from "react";
import { Link, useNavigate } from "react-router-dom";
import { useAuth } from "../../auth/session.tsx";
import { paths, withReturnPath } from "../../lib/paths.ts";
import slideDeadline from "./art/slide-deadline.svg";
import slideEasy from "./art/slide-easy.svg";
import slideHire from "./art/slide-hire.svg";
import { CarouselControls, useCarousel } from "./carousel.tsx";
import type { CarouselOptions } from "./swiper-engine.ts";

// Dark backgrounds are the same in both themes, so their slides always use the dark theme.
const FOREST = { theme: "tasklane-dark", background: "bg-[#0f5c4d]", button: "btn-accent" };
const SAND = { theme: undefined, background: "bg-[#e7dfcf] dark:bg-[#33443d]", button: "btn-neutral" };
const LAKE = { theme: "tasklane-dark", background: "bg-[#174a66]", button: "btn-accent" };

const SLIDES = [
  {
    image: slideHire,
    alt: "One task card on three lanes, each leading to another expert",
    tone: FOREST,
    title: "Hire Experts for Any Task",
    description:
      "Describe the result, name a fixed price and a deadline, and hear from people who do this work every day.",
    button: "Get Started",
    link: "/addtask",
  },
  {
    image: slideEasy,
    alt: "A laptop with a board of tasks, lanes passing behind it",
    tone: SAND,
    title: "Freelance Work Made Easy",
    description:
      "Every task shows its budget and its deadline up front. Pick the ones that fit your week and place a bid in one click.",
    button: "Explore Tasks",
    link: "/browsetask",
  },
  {
    image: slideDeadline,
    alt: "A clock as a ring line, with a task card on its way round",
    tone: LAKE,
    title: "Stay on Deadline, Always",
    description:
      "See all the tasks you posted in one table, follow the bids as they come in, and move a date before it becomes a problem.",
    button: "My Posted Tasks",
    link: "/myposttask",
  },
];

// The delay is measured from the start of one transition to the start of the next. Interaction does not stop autoplay.
const OPTIONS: CarouselOptions = {
  noun: "slide",
  label: "Slides",
  autoplay: { delay: 3000, disableOnInteraction: false, waitForTransition: false },
};

/** The auto-playing hero slider. */
export function HeroSlider() {
  const carousel = useCarousel(OPTIONS);
  const { user, loading } = useAuth();
  const navigate = useNavigate();
  // Who wants to post a task and has no account registers first, instead of being asked to log in.
  const begin = (event: MouseEvent, link: string) => {
    if (link !== SLIDES[0]?.link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (user || loading) return;
    event.preventDefault();
    void navigate(withReturnPath(paths.register, paths.addTask));
  };
  return (
    <section ref={carousel.root} aria-label="What you can do here" className="relative">
      <div className="swiper relative overflow-hidden" {...carousel.focusHandlers}>
        <div className="swiper-wrapper flex">
          {SLIDES.map((slide, index) => (
            <Slide
              key={slide.title}
              {...slide}
              first={index === 0}
              onFollow={(event) => begin(event, slide.link)}
            />
          ))}
        </div>
      </div>
      <div className="md:pointer-events-none md:absolute md:inset-x-0 md:bottom-8 md:z-2">
        <div className="page flex justify-center py-3 md:justify-start md:py-0">
          <div className="md:pointer-events-auto">
            <CarouselControls carousel={carousel} pauses="slides" paginated />
          </div>
        </div>
      </div>
    </section>
  );
}

/** Slides in from below when the slide becomes active; hidden while it is inactive (inert). */
const ENTRANCE =
  "transition duration-500 inert:invisible inert:translate-y-5 inert:opacity-0 inert:duration-150 motion-safe:not-inert:delay-(--wait)";

type SlideProps = (typeof SLIDES)[number] & { first: boolean; onFollow: (event: MouseEvent) => void };

/** Text on the left, the picture running off the right edge; on phones the picture is below the text. */
function Slide({ tone, first, onFollow, ...slide }: SlideProps) {
  return (
    <div
      inert={!first}
      data-theme={tone.theme}
      className={`swiper-slide relative flex h-auto w-full shrink-0 flex-col justify-between overflow-hidden md:block md:min-h-[clamp(30rem,36vw,46rem)] ${tone.background}`}
    >
      <div className="page relative z-1">
        <div className="max-w-136 pt-9 pb-6 sm:py-12 md:w-[calc(50vw-4rem)] md:pt-[clamp(3.5rem,12vw-5rem,12rem)] md:pb-28">
          <h2
            className={`text-4xl leading-[1.06] font-semibold sm:text-5xl xl:text-6xl [--wait:200ms] ${ENTRANCE}`}
          >
            {slide.title}
          </h2>
          <p className={`mt-4 max-w-md text-base text-pretty sm:text-lg md:mt-5 [--wait:300ms] ${ENTRANCE}`}>
            {slide.description}
          </p>
          <div className={`mt-6 md:mt-8 [--wait:400ms] ${ENTRANCE}`}>
            <Link to={slide.link} className={`btn btn-lg ${tone.button}`} onClick={onFollow}>
              {slide.button}
            </Link>
          </div>
        </div>
      </div>
      <img
        src={slide.image}
        alt={slide.alt}
        width={960}
        height={640}
        loading={first ? "eager" : "lazy"}
        fetchPriority={first ? "high" : "low"}
        className="block h-auto w-full md:absolute md:right-0 md:bottom-0 md:w-[52vw] md:max-w-272"
      />
    </div>
  );
}
