import { REVIEW_LIMITS } from "@tasklane/server/contract";
import { Star } from "lucide-react";
import { useState } from "react";

const MEANING = ["Poor", "Fair", "Good", "Very good", "Excellent"];

/** One to five stars as radio buttons: arrow keys move between them, and each says what it means. */
export function StarChoice({ initial, error }: { initial: number; error: string | undefined }) {
  const [chosen, setChosen] = useState(initial);
  const [hovered, setHovered] = useState(0);
  const shown = hovered || chosen;
  return (
    <fieldset className="space-y-1.5" aria-describedby={error ? "review-stars-error" : undefined}>
      <legend className="text-sm font-semibold">Stars</legend>
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="flex flex-wrap" onPointerLeave={() => setHovered(0)}>
          {Array.from({ length: REVIEW_LIMITS.stars }, (_, index) => index + 1).map((stars) => (
            <label
              key={stars}
              className="cursor-pointer rounded-field p-1.5 has-focus-visible:outline-3 has-focus-visible:outline-primary"
              onPointerEnter={() => setHovered(stars)}
            >
              <input
                type="radio"
                name="stars"
                value={stars}
                defaultChecked={stars === initial}
                className="sr-only"
                aria-invalid={error && chosen === 0 ? true : undefined}
                onChange={() => setChosen(stars)}
              />
              <span className="sr-only">
                {stars} {stars === 1 ? "star" : "stars"}, {MEANING[stars - 1]}
              </span>
              <Star
                aria-hidden="true"
                className={`size-7 text-warning ${stars <= shown ? "fill-accent" : ""}`}
              />
            </label>
          ))}
        </div>
        <span aria-hidden="true" className="quiet text-sm">
          {MEANING[shown - 1] ?? "Choose"}
        </span>
      </div>
      {error && (
        <p id="review-stars-error" className="text-sm font-medium text-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
