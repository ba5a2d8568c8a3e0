import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { Flag, ShieldX } from "lucide-react";
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router-dom";
import { apiOf, loadList, loadQuery, useApi } from "../../../lib/api-context.tsx";
import { meQuery } from "../../../lib/me.ts";
import { firstItems, maxShown, shownIn } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { ListFull, StatePanel } from "../../../ui/state-panel.tsx";
import { PAGE_SIZE, reportsQuery } from "../report-queries.ts";
import { ReportCard } from "./report-card.tsx";

export { action } from "./reports-data.ts";

/** Who asks, and for operators the reports, unsettled first, as many as the address says. */
export async function loader(args: LoaderFunctionArgs): Promise<{ isOperator: boolean }> {
  const api = apiOf(args);
  const { isOperator } = await loadQuery(args, meQuery(api));
  const shown = shownIn(new URL(args.request.url).searchParams, PAGE_SIZE);
  if (isOperator) await loadList(args, reportsQuery(api), shown);
  return { isOperator };
}

/** The operators' page: what people have reported, the open ones first. */
export function Component() {
  const { isOperator } = useLoaderData<typeof loader>();
  return (
    <div className="space-y-6">
      <PageMeta title="Reports" />
      <PageHeading title="Reports">
        {isOperator && "What people have reported. Hidden tasks are seen by their owner and operators only."}
      </PageHeading>
      {isOperator ? <Reports /> : <NotForYou />}
    </div>
  );
}

function Reports() {
  const shown = shownIn(useSearchParams()[0], PAGE_SIZE);
  const { data } = useSuspenseInfiniteQuery(reportsQuery(useApi()));
  const { items, hasMore } = firstItems(data, shown);
  if (items.length === 0) {
    return (
      <StatePanel icon={<Flag className="size-7" />} title="No reports">
        Nobody has reported anything.
      </StatePanel>
    );
  }
  return (
    <>
      <ul className="grid grid-cols-1 gap-4">
        {items.map((report) => (
          <ReportCard key={report._id} report={report} />
        ))}
      </ul>
      {hasMore && shown >= maxShown(PAGE_SIZE) && (
        <ListFull shown={items.length} hint="Resolve some of them to see others." />
      )}
      {hasMore && shown < maxShown(PAGE_SIZE) && (
        <div className="flex justify-center">
          <Link
            to={{ search: `?shown=${shown + PAGE_SIZE}` }}
            replace
            preventScrollReset
            className="btn btn-outline"
          >
            Load more reports
          </Link>
        </div>
      )}
    </>
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
