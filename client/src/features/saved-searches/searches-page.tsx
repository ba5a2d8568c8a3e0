import { SAVED_SEARCH_LIMITS } from "@tasklane/server/contract";
import { BellPlus } from "lucide-react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { loadQuery } from "../../lib/api-context.tsx";
import { useLoadedQuery } from "../../lib/loaded-query.ts";
import { paths } from "../../lib/paths.ts";
import { meQuery } from "../../lib/queries.ts";
import { PageHeading, PageMeta } from "../../ui/page-head.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { savedSearchesQuery } from "./saved-search-queries.ts";
import { SearchCard } from "./search-card.tsx";

/** Loads the user's searches, and whether this installation sends emails. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  await Promise.all([loadQuery(args, savedSearchesQuery), loadQuery(args, meQuery)]);
  return null;
}

/** The user's saved searches. */
export function Component() {
  const searches = useLoadedQuery(savedSearchesQuery);
  const { emailAvailable } = useLoadedQuery(meQuery);
  const browse = (
    <Link to={paths.dashBrowse} className="btn btn-primary">
      Browse Tasks
    </Link>
  );
  return (
    <div className="max-w-3xl space-y-6">
      <PageMeta title="Saved Searches" />
      <PageHeading title="Saved Searches" action={searches.length > 0 && browse}>
        You get a notification for each new task that matches.
      </PageHeading>
      {searches.length === 0 ? (
        <StatePanel icon={<BellPlus className="size-7" />} title="No saved searches yet" action={browse}>
          Search or filter in Browse Tasks, then choose “Save this search”. You will be notified of new tasks
          that match.
        </StatePanel>
      ) : (
        <>
          <p className="quiet text-sm tabular-nums">
            {searches.length} of {SAVED_SEARCH_LIMITS.perPerson} searches
          </p>
          <ul className="grid grid-cols-1 gap-4">
            {searches.map((search) => (
              <SearchCard key={search._id} search={search} emails={emailAvailable} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
