import { SAVED_SEARCH_LIMITS } from "@tasklane/server/contract";
import { BellPlus } from "lucide-react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { apiOf, loadQuery, useApi, useLoaded } from "../../lib/api-context.tsx";
import { meQuery } from "../../lib/me.ts";
import { paths } from "../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../ui/page-head.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { savedSearchesQuery } from "./saved-search-queries.ts";
import { SearchCard } from "./search-card.tsx";

export { action } from "./searches-data.ts";

/** Loads the person's searches, and whether there are emails here. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const api = apiOf(args);
  await Promise.all([loadQuery(args, savedSearchesQuery(api)), loadQuery(args, meQuery(api))]);
  return null;
}

/** The person's saved searches, and what each of them tells when. */
export function Component() {
  const api = useApi();
  const searches = useLoaded(savedSearchesQuery(api));
  const { emailAvailable } = useLoaded(meQuery(api));
  const browse = (
    <Link to={paths.dashBrowse} className="btn btn-primary">
      Browse tasks
    </Link>
  );
  return (
    <div className="mx-auto max-w-4xl space-y-6">
      <PageMeta title="Saved Searches" />
      <PageHeading title="Saved Searches" action={searches.length > 0 && browse}>
        You are told of each new task that matches.
      </PageHeading>
      {searches.length === 0 ? (
        <StatePanel icon={<BellPlus className="size-7" />} title="No saved searches yet" action={browse}>
          Search or filter in Browse Tasks, then choose “Save this search”. Of new tasks that match you are
          told at once.
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
