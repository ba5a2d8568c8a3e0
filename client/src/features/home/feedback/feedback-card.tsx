import type { Testimonial } from "../content/testimonials.ts";
import { Stars } from "./stars.tsx";

/** What one client says. All of them lie in the same cell of the grid, so that its height fits the longest. */
export function FeedbackCard({ testimonial, shown }: { testimonial: Testimonial; shown: boolean }) {
  const { name, title, image, feedback, stars } = testimonial;
  return (
    <figure
      aria-hidden={!shown}
      inert={!shown}
      className={`col-start-1 row-start-1 flex flex-col justify-between gap-8 transition-opacity duration-300 ${shown ? "" : "invisible opacity-0"}`}
    >
      <div className="space-y-5">
        <Stars stars={stars} />
        <blockquote className="text-xl leading-relaxed text-pretty sm:text-2xl sm:leading-relaxed">
          {feedback}
        </blockquote>
      </div>
      <figcaption className="flex items-center gap-4">
        <img
          src={image}
          alt={`Portrait of ${name}`}
          width={64}
          height={64}
          loading="lazy"
          className="size-16 shrink-0 rounded-full"
        />
        <div>
          <p className="text-lg font-semibold">{name}</p>
          <p className="quiet">{title}</p>
        </div>
      </figcaption>
    </figure>
  );
}
