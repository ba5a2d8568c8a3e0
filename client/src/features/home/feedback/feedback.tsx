import { ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { useRef, useState } from "react";
import { ControlButton, ControlPill } from "../carousel/control-pill.tsx";
import { testimonials } from "../content/testimonials.ts";
import { Typewriter } from "../motion/typewriter.tsx";
import { useProximity } from "../motion/use-proximity.ts";
import { useReducedMotion } from "../motion/use-reduced-motion.ts";
import { FeedbackCard } from "./feedback-card.tsx";

const COUNT = testimonials.length;

/** Client feedback (SPEC section 2, Home): one voice at a time, turned by hand; previous and next wrap at both ends. */
export function Feedback() {
  const section = useRef<HTMLElement>(null);
  const where = useProximity(section);
  const reduced = useReducedMotion();
  const [choice, setChoice] = useState<boolean | null>(null);
  const [index, setIndex] = useState(0);
  const typing = choice ?? !reduced;
  const turn = (by: 1 | -1) => setIndex((index + by + COUNT) % COUNT);

  return (
    <section
      ref={section}
      aria-labelledby="feedback"
      className="page grid grid-cols-1 gap-x-16 gap-y-10 pt-16 md:pt-24 md:pb-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] xl:gap-x-24"
    >
      <div className="flex min-w-0 flex-col items-start justify-between gap-8" data-reveal>
        <h2
          id="feedback"
          className="text-4xl leading-[1.06] font-semibold text-wrap wrap-anywhere sm:text-5xl lg:text-6xl"
        >
          <Typewriter text="We Love Our Client Feedback." playing={typing} where={where} />
        </h2>
        <ControlPill>
          <ControlButton label="Previous feedback" icon={ChevronLeft} onClick={() => turn(-1)} />
          <p aria-live="polite" className="px-1 font-medium tabular-nums">
            <span className="sr-only">{testimonials[index]?.name}, feedback </span>
            {index + 1} <span className="sr-only">of</span>
            <span aria-hidden="true">/</span> {COUNT}
          </p>
          <ControlButton label="Next feedback" icon={ChevronRight} onClick={() => turn(1)} />
          <span aria-hidden="true" className="mx-1 h-5 w-px bg-base-300" />
          <ControlButton
            label={typing ? "Pause the typing" : "Play the typing"}
            icon={typing ? Pause : Play}
            onClick={() => setChoice(!typing)}
          />
        </ControlPill>
      </div>
      <div className="surface grid grid-cols-1 p-6 wrap-anywhere shadow-card sm:p-10" data-reveal>
        {testimonials.map((testimonial, position) => (
          <FeedbackCard key={testimonial.id} testimonial={testimonial} shown={position === index} />
        ))}
      </div>
    </section>
  );
}
