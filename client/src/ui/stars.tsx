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
