import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { REPORT_REASON_LABELS, type Report } from "@tasklane/server/contract";
import { CircleCheck, Flag } from "lucide-react";
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router-dom";
import { type ListLoad, useApi } from "../../../lib/api-context.tsx";
import { firstItems, shownCount } from "../../../lib/pages.ts";
import { LoadMoreLink } from "../../../ui/load-more.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useListUpdate } from "../../../ui/use-list-update.ts";
import { When } from "../../../ui/when.tsx";
import { CardActions, CardHeading, CardPeople, CardState, Quotes } from "./card-parts.tsx";
import { ListFilters, REPORT_SELECTS, readFilters } from "./list-filters.tsx";
import { ModerationActions } from "./moderation-actions.tsx";
import {
  type ReportFilters as Filters,
  loadForOperator,
  PAGE_SIZE,
  reportsQuery,
} from "./operator-queries.ts";

export const loader = (args: LoaderFunctionArgs) =>
  loadForOperator(args, (api, params) => reportsQuery(api, readFilters(params)));

/** Reports from users, filtered by state and reason. */
export function Component() {
  const [params] = useSearchParams();
  const shown = shownCount(params, PAGE_SIZE);
  const filters = readFilters(params);
  const { failure } = useLoaderData<ListLoad>();
  const { data } = useSuspenseInfiniteQuery(reportsQuery(useApi(), filters));
  const { items, hasMore } = firstItems(data, shown);
  const stale = useListUpdate();
  return (
    <div className="space-y-6">
      <PageMeta title="Reports" />
      <PageHeading title="Reports">
        What people have reported. The public does not see hidden tasks.
      </PageHeading>
      <ListFilters selects={REPORT_SELECTS} />
      {items.length === 0 && <NoReports filters={filters} />}
      <ul
        aria-busy={stale}
        className={`grid grid-cols-1 gap-4 transition-opacity ${stale ? "opacity-60" : ""}`}
      >
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
            See resolved reports
          </Link>
        }
      >
        All reports have been resolved.
      </StatePanel>
    );
  }
  return (
    <StatePanel icon={<Flag className="size-7" />} title="No matching reports">
      {reason || state ? "Nothing matches these filters." : "Nothing has been reported yet."}
    </StatePanel>
  );
}

/** One report: what is reported, why, by whom, and what an operator can do about it. */
function ReportCard({ report }: { report: Report }) {
  const { _id, bid, question, conversation, reason, text, reporter, settled } = report;
  const heading = `about-${_id}`;
  return (
    // Names the item for screen readers, as every card has the same buttons.
    <li className="card card-body gap-4" aria-labelledby={heading}>
      <CardState {...report} done="Resolved" by={reporter} />
      <div className="space-y-1.5">
        <CardHeading id={heading} {...report} why={REPORT_REASON_LABELS[reason]} />
        <CardPeople {...report} />
        {text && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text}
          </p>
        )}
        <Quotes texts={[bid?.message, bid?.answer, question?.text, question?.answer]} />
        {conversation && <Messages messages={conversation.messages} />}
      </div>
      <CardActions
        subject={report}
        act="settle-report"
        id={_id}
        settled={settled}
        texts={["Resolve", "Reopen"]}
      >
        <ModerationActions subject={report} reason={reason} />
      </CardActions>
    </li>
  );
}

/** The conversation's last messages before the report. */
function Messages({ messages }: Pick<NonNullable<Report["conversation"]>, "messages">) {
  return (
    <ol className="space-y-2 border-l-4 border-base-300 pl-4 text-sm">
      {messages.map(({ name, text, createdAt }) => (
        <li key={createdAt + text}>
          <p className="quiet wrap-anywhere">
            <bdi>{name}</bdi>, <When at={createdAt} />
          </p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text ?? "Deleted with its author’s account"}
          </p>
        </li>
      ))}
    </ol>
  );
}
