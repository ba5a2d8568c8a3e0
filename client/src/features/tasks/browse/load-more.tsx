import { Link, useNavigation } from "react-router-dom";
import { MOST_SHOWN } from "../../../lib/pages.ts";
import { ListFull } from "../../../ui/list-full.tsx";
import { PAGE, writeBrowseState } from "../task-filters.ts";
import type { BrowseData } from "./browse-data.ts";

/** Shows the next page below. The address remembers how much is shown, so that back and reload come to the same list. */
export function LoadMore({ next, state }: BrowseData) {
  const navigation = useNavigation();
  if (!next) return null;
  if (state.shown >= MOST_SHOWN) return <ListFull hint="Search or choose a category to find others." />;
  const search = writeBrowseState({ ...state, shown: state.shown + PAGE }).toString();
  const busy = navigation.state === "loading" && navigation.location.search === `?${search}`;
  return (
    <div className="flex justify-center pt-4">
      <Link
        to={{ search }}
        replace
        preventScrollReset
        className="btn btn-outline"
        aria-disabled={busy || undefined}
      >
        {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
        {busy ? "Loading…" : "Load more tasks"}
      </Link>
    </div>
  );
}
