import { Link, useNavigation, useSearchParams } from "react-router-dom";
import { maxShown } from "../lib/pages.ts";
import { FormAlert } from "./form-alert.tsx";
import { ListFull } from "./state-panel.tsx";

type LinkProps = {
  /** What the list holds, such as "tasks". */
  what: string;
  /** How many items the address asks for, and how many there are. */
  shown: number;
  count: number;
  pageSize: number;
  hasMore: boolean;
  /** What to do once the list has become as long as it may. */
  hint: string;
  /** Why the rest of them did not load: the link then asks for the same ones again. */
  failure?: string | undefined;
};

/**
 * Shows the next page below, for lists whose length is in the address: back and reload come to the same list. Where the
 * focus goes once it has disappeared, {@link keepFocusWithin} decides.
 */
export function LoadMoreLink({ what, shown, count, pageSize, hasMore, hint, failure }: LinkProps) {
  const [params] = useSearchParams();
  const { state, location } = useNavigation();
  if (!hasMore) return null;
  if (shown >= maxShown(pageSize) && !failure) return <ListFull shown={count} hint={hint} />;
  const more = new URLSearchParams(params);
  more.set("shown", String(failure ? shown : shown + pageSize));
  const search = `?${more}`;
  const busy = state === "loading" && location.search === search;
  return (
    <div className="flex flex-col items-center gap-4 pt-4">
      <FormAlert takesFocus={false}>{failure}</FormAlert>
      <Link
        to={{ search }}
        replace
        preventScrollReset
        className="btn btn-outline"
        aria-disabled={busy || undefined}
      >
        {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
        {busy ? "Loading…" : `Load more ${what}`}
      </Link>
    </div>
  );
}

type ButtonProps = { text: string; busy: boolean; className?: string; onClick: () => unknown };

/** Reads the next page of a list that no address tells of. While it is busy it keeps its focus, which a disabled one would lose. */
export function LoadMoreButton({ text, busy, className = "btn-outline", onClick }: ButtonProps) {
  return (
    <button
      type="button"
      className={`btn ${className}`}
      aria-disabled={busy || undefined}
      onClick={() => void (busy || onClick())}
    >
      {busy ? "Loading…" : text}
    </button>
  );
}
