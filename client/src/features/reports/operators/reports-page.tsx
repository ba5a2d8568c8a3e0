import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, Flag, ShieldX } from "lucide-react";
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router-dom";
import { apiOf, loadList, loadQuery, useApi } from "../../../lib/api-context.tsx";
import { meQuery } from "../../../lib/me.ts";
import { firstItems, maxShown, shownIn } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { ListFull, StatePanel } from "../../../ui/state-panel.tsx";
import { type ReportFilters as Filters, PAGE_SIZE, reportsQuery } from "../report-queries.ts";
import { ReportCard } from "./report-card.tsx";
import { ReportFilters } from "./report-filters.tsx";
import { readFilters } from "./reports-data.ts";

export { action } from "./reports-data.ts";

/** Who asks, and for operators the reports that the address names, as many as it says. */
export async function loader(args: LoaderFunctionArgs): Promise<{ isOperator: boolean }> {
  const api = apiOf(args);
  const { isOperator } = await loadQuery(args, meQuery(api));
  const { searchParams } = new URL(args.request.url);
  const query = reportsQuery(api, readFilters(searchParams));
  if (isOperator) await loadList(args, query, shownIn(searchParams, PAGE_SIZE));
  return { isOperator };
}

/** The operators' page: what people have reported, by state and reason. */
export function Component() {
  const { isOperator } = useLoaderData<typeof loader>();
  return (
    <div className="space-y-6">
      <PageMeta title="Reports" />
      <PageHeading title="Reports">
        {isOperator && "What people have reported. The public does not see hidden tasks."}
      </PageHeading>
      {isOperator ? <Reports /> : <NotForYou />}
    </div>
  );
}

function Reports() {
  const [params] = useSearchParams();
  const shown = shownIn(params, PAGE_SIZE);
  const filters = readFilters(params);
  const { data } = useSuspenseInfiniteQuery(reportsQuery(useApi(), filters));
  const { items, hasMore } = firstItems(data, shown);
  const more = new URLSearchParams(params);
  more.set("shown", String(shown + PAGE_SIZE));
  return (
    <>
      <ReportFilters />
      {items.length === 0 && <NoReports filters={filters} />}
      <ul className="grid grid-cols-1 gap-4">
        {items.map((report) => (
          <ReportCard key={report._id} report={report} />
        ))}
      </ul>
      {hasMore && shown >= maxShown(PAGE_SIZE) && (
        <ListFull shown={items.length} hint="Resolve some to see more." />
      )}
      {hasMore && shown < maxShown(PAGE_SIZE) && (
        <div className="flex justify-center">
          <Link to={{ search: `?${more}` }} replace preventScrollReset className="btn btn-outline">
            Load more reports
          </Link>
        </div>
      )}
    </>
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

function NotForYou() {
  return (
    <StatePanel
      icon={<ShieldX className="size-7" />}
      title="Only operators see reports"
      action={
        <Link to={paths.dashboard} className="btn btn-primary">
          Dashboard
        </Link>
      }
    />
  );
}
