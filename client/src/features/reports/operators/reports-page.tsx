import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, Flag } from "lucide-react";
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router-dom";
import { apiOf, type ListLoad, loadList, loadQuery, useApi } from "../../../lib/api-context.tsx";
import { meQuery } from "../../../lib/me.ts";
import { firstItems, shownIn } from "../../../lib/pages.ts";
import { LoadMoreLink } from "../../../ui/load-more.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { ListFilters } from "./list-filters.tsx";
import { type ReportFilters as Filters, PAGE_SIZE, reportsQuery } from "./operator-queries.ts";
import { ReportCard } from "./report-card.tsx";
import { REPORT_SELECTS, readFilters } from "./reports-data.ts";

export { action } from "./operator-action.ts";

/** For operators the reports that the address names, as many as it says. */
export async function loader(args: LoaderFunctionArgs): Promise<ListLoad> {
  const api = apiOf(args);
  const { isOperator } = await loadQuery(args, meQuery(api));
  const { searchParams } = new URL(args.request.url);
  const query = reportsQuery(api, readFilters(searchParams));
  return isOperator ? loadList(args, query, shownIn(searchParams, PAGE_SIZE)) : {};
}

/** What people have reported, by state and reason. */
export function Component() {
  const [params] = useSearchParams();
  const shown = shownIn(params, PAGE_SIZE);
  const filters = readFilters(params);
  const { failure } = useLoaderData<ListLoad>();
  const { data } = useSuspenseInfiniteQuery(reportsQuery(useApi(), filters));
  const { items, hasMore } = firstItems(data, shown);
  return (
    <div className="space-y-6">
      <PageMeta title="Reports" />
      <PageHeading title="Reports">
        What people have reported. The public does not see hidden tasks.
      </PageHeading>
      <ListFilters selects={REPORT_SELECTS} />
      {items.length === 0 && <NoReports filters={filters} />}
      <ul className="grid grid-cols-1 gap-4">
        {items.map((report) => (
          <ReportCard key={report._id} report={report} />
        ))}
      </ul>
      <LoadMoreLink
        shown={shown}
        count={items.length}
        pageSize={PAGE_SIZE}
        hasMore={hasMore}
        what="reports"
        failure={failure}
        hint="Resolve some to see more."
      />
    </div>
  );
}

function NoReports({ filters: { state, reason } }: { filters: Filters }) {
  if (state === "open" && !reason) {
    return (
      <StatePanel
        icon={<CircleCheck className="size-7" />}
        title="No open reports"
        action={
          <Link to={{ search: "?state=resolved" }} className="btn btn-outline">
            See resolved ones
          </Link>
        }
      >
        Everything that was reported is dealt with.
      </StatePanel>
    );
  }
  return (
    <StatePanel icon={<Flag className="size-7" />} title="No matching reports">
      {reason || state ? "Nothing matches these filters." : "Nothing has been reported yet."}
    </StatePanel>
  );
}
