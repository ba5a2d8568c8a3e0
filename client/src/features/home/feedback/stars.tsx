import { Star } from "lucide-react";

const BEST = 5;

/** A rating as stars, and in words for those who do not see them. */
export function Stars({ stars }: { stars: number }) {
  return (
    <p className="text-warning">
      <span className="sr-only">
        Rated {stars} out of {BEST}
      </span>
      <span aria-hidden="true" className="flex gap-1">
        {Array.from({ length: BEST }, (_, index) => (
          <Star key={index} className={`size-5 ${index < stars ? "fill-accent" : ""}`} />
        ))}
      </span>
    </p>
  );
}
