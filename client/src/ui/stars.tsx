import { type Rating as RatingOf, REVIEW_LIMITS } from "@tasklane/server/contract";
import { plural } from "../lib/format.ts";

const BEST = [1, 2, 3, 4, 5];

/** A whole number of five stars; decorative unless `labelled`, which says it in words too. */
export function Stars({ stars, labelled = true }: { stars: number; labelled?: boolean }) {
  return (
    <span className="rating rating-sm">
      {labelled && <span className="sr-only">Rated {stars} out of 5</span>}
      {BEST.map((star) => (
        <span
          key={star}
          aria-hidden="true"
          // daisyUI dims the stars that come after the current one.
          aria-current={star === stars}
          className="mask mask-star bg-accent"
        />
      ))}
    </span>
  );
}

/** An average rating in a line: a star, the figure, and of how many reviews. */
export function Rating({ average, count }: RatingOf) {
  if (average === null) return "No reviews yet";
  return (
    <>
      <span
        aria-hidden="true"
        className="mask mr-1 inline-block size-3.5 bg-accent mask-star align-[-0.1em]"
      />
      <strong className="font-semibold text-base-content tabular-nums">{average.toFixed(1)}</strong>
      <span className="sr-only"> of {REVIEW_LIMITS.stars} stars,</span> ({plural(count, "review")})
    </>
  );
}
