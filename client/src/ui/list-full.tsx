import { MOST_SHOWN } from "../lib/pages.ts";

/** Stands where "Load more" would be once a list has become as long as it may. */
export function ListFull({ hint }: { hint: string }) {
  return (
    <p role="status" className="quiet pt-4 text-center">
      These are the first {MOST_SHOWN.toLocaleString("en-US")}. {hint}
    </p>
  );
}
