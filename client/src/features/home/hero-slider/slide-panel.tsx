import { Link } from "react-router-dom";
import type { Slide } from "../content/slides.ts";

// The pictures are the same in both themes, so a slide brings the theme that its own background needs.
const TONES = {
  forest: { theme: "tasklane-dark", background: "bg-[#0f5c4d]", button: "btn-accent" },
  sand: { theme: "tasklane", background: "bg-[#e7dfcf]", button: "btn-neutral" },
  sky: { theme: "tasklane", background: "bg-[#bfd9e8]", button: "btn-neutral" },
} as const;

/** Comes in from below when its slide becomes the active one; not there at all while it is not. */
const ENTRANCE =
  "transition duration-500 inert:invisible inert:translate-y-5 inert:opacity-0 inert:duration-150 motion-safe:not-inert:delay-(--wait)";

type Props = { slide: Slide; position: number; count: number };

/** One slide: what to do on the left, the picture running off the right edge; on phones one above the other. */
export function SlidePanel({ slide, position, count }: Props) {
  const tone = TONES[slide.tone];
  const first = position === 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide is no fieldset; the carousel pattern says group.
    <div
      role="group"
      aria-roledescription="slide"
      aria-label={`${position + 1} of ${count}`}
      inert={!first}
      data-theme={tone.theme}
      className={`swiper-slide flex h-auto w-full shrink-0 flex-col justify-between overflow-hidden md:block md:min-h-[clamp(30rem,36vw,46rem)] ${tone.background}`}
    >
      <div className="page relative z-1">
        <div className="max-w-136 py-10 sm:py-12 md:w-[calc(50vw-4rem)] md:pt-[clamp(3.5rem,12vw-5rem,12rem)] md:pb-28">
          <h2
            className={`text-4xl leading-[1.06] font-semibold sm:text-5xl xl:text-6xl [--wait:200ms] ${ENTRANCE}`}
          >
            {slide.title}
          </h2>
          <p className={`mt-4 max-w-md text-base text-pretty sm:text-lg md:mt-5 [--wait:300ms] ${ENTRANCE}`}>
            {slide.description}
          </p>
          <div className={`mt-6 md:mt-8 [--wait:400ms] ${ENTRANCE}`}>
            <Link to={slide.link} className={`btn btn-lg ${tone.button}`}>
              {slide.btnText}
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
