import { REVIEW_LIMITS } from "@tasklane/server/contract";
import { plural } from "../../lib/format.ts";
import { Stars } from "../../ui/stars.tsx";

/** An average rating as stars, with figure and count; in words for those who do not see the stars. */
export function RatingStars({ average, count }: { average: number | null; count: number }) {
  if (average === null || count === 0) return <p className="quiet text-sm">No reviews yet</p>;
  return (
    <p className="flex flex-wrap items-center gap-2">
      <Stars stars={Math.round(average)} labelled={false} />
      <span className="font-semibold tabular-nums">
        {average.toFixed(1)}
        <span className="sr-only"> of {REVIEW_LIMITS.stars} stars</span>
      </span>
      <span className="quiet text-sm">{plural(count, "review")}</span>
    </p>
  );
}
