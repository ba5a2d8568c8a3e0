import { REVIEW_LIMITS } from "@tasklane/server/contract";
import { Star } from "lucide-react";
import { plural } from "../../lib/format.ts";

/** An average rating as stars, with figure and count; in words for those who do not see the stars. */
export function RatingStars({ average, count }: { average: number | null; count: number }) {
  if (average === null || count === 0) return <p className="quiet text-sm">No reviews yet</p>;
  return (
    <p className="flex flex-wrap items-center gap-2">
      <StarRow stars={Math.round(average)} />
      <span className="font-semibold tabular-nums">
        {average.toFixed(1)}
        <span className="sr-only"> of {REVIEW_LIMITS.stars} stars</span>
      </span>
      <span className="quiet text-sm">{plural(count, "review")}</span>
    </p>
  );
}

/** So many of five stars; decorative, words stand beside it. */
export function StarRow({ stars }: { stars: number }) {
  return (
    <span aria-hidden="true" className="flex gap-0.5 text-warning">
      {Array.from({ length: REVIEW_LIMITS.stars }, (_, index) => (
        <Star key={index} className={`size-5 ${index < stars ? "fill-accent" : ""}`} />
      ))}
    </span>
  );
}
