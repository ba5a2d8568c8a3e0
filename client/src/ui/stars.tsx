import type { Rating as AverageRating } from "@tasklane/server/contract";
import { formatStars, plural } from "../lib/format.ts";

const RATINGS = [1, 2, 3, 4, 5];

/** A decorative star, full or empty. Outlined, because marigold alone has too little contrast on a light page. */
export function Star({ full = true, className }: { full?: boolean; className: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={`stroke-warning stroke-2 ${full ? "fill-accent" : "fill-none"} ${className}`}
    >
      <path
        strokeLinejoin="round"
        d="m12 2.5 2.9 6 6.6.9-4.8 4.6 1.2 6.5-5.9-3.1-5.9 3.1 1.2-6.5-4.8-4.6 6.6-.9z"
      />
    </svg>
  );
}

/** A rating of 1 to 5 stars, with a text for screen readers unless `labelled` is false. */
export function Stars({ stars, labelled = true }: { stars: number; labelled?: boolean }) {
  return (
    <span className="inline-flex gap-0.5">
      {labelled && <span className="sr-only">Rated {stars} out of 5</span>}
      {RATINGS.map((star) => (
        <Star key={star} full={star <= stars} className="size-5" />
      ))}
    </span>
  );
}

/** An average rating in one line: a star, the average and the number of reviews. */
export function Rating({ average, count }: AverageRating) {
  if (average === null) return "No reviews yet";
  return (
    <>
      <Star className="mr-1 mb-1 inline size-4" />
      <strong className="font-semibold text-base-content tabular-nums">{formatStars(average)}</strong>
      <span className="sr-only"> of {RATINGS.length} stars,</span> ({plural(count, "review")})
    </>
  );
}
