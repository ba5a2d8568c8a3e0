import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { type OperatorAct, type OperatorActKind, REPORT_REASON_LABELS } from "@tasklane/server/contract";
import { ScrollText } from "lucide-react";
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router-dom";
import { type ListLoad, useApi } from "../../../lib/api-context.tsx";
import { formatRelativeDay, formatTime } from "../../../lib/format.ts";
import { firstItems, shownCount } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { LoadMoreLink } from "../../../ui/load-more.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { PersonWithBadge } from "./card-parts.tsx";
import { SuspendButton } from "./moderation-actions.tsx";
import { loadForOperator, logQuery, PAGE_SIZE } from "./operator-queries.ts";

export const loader = (args: LoaderFunctionArgs) => loadForOperator(args, logQuery);

/** The log of all operators' actions, with their reasons. */
export function Component() {
  const [params] = useSearchParams();
  const shown = shownCount(params, PAGE_SIZE);
  const { failure } = useLoaderData<ListLoad>();
  const { data } = useSuspenseInfiniteQuery(logQuery(useApi()));
  const { items, hasMore } = firstItems(data, shown);
  useNow();
  return (
    <div className="space-y-6">
      <PageMeta title="Log" />
      <PageHeading title="Log">What operators did and why. Entries cannot be changed.</PageHeading>
      {items.length === 0 && (
        <StatePanel icon={<ScrollText className="size-7" />} title="The log is empty">
          Everything that operators do is recorded here.
        </StatePanel>
      )}
      <ol className="grid grid-cols-1 gap-4">
        {items.map((act) => (
          <LogEntry key={act._id} act={act} />
        ))}
      </ol>
      <LoadMoreLink
        shown={shown}
        count={items.length}
        pageSize={PAGE_SIZE}
        hasMore={hasMore}
        what="entries"
        failure={failure}
        hint="Earlier entries are kept."
      />
    </div>
  );
}

const TITLES: Record<OperatorActKind, string> = {
  "task-hidden": "Task hidden",
  "task-restored": "Task restored",
  "question-hidden": "Question hidden",
  "question-restored": "Question restored",
  "report-resolved": "Report resolved",
  "report-reopened": "Report reopened",
  "item-checked": "Queue entry checked",
  "item-reopened": "Back in the queue",
  "account-suspended": "Account suspended",
  "suspension-lifted": "Suspension lifted",
  "dispute-decided": "Dispute decided",
  "jobs-retried": "Failed jobs run again",
};

function LogEntry({ act: { kind, operator, person, task, reason, text, createdAt } }: { act: OperatorAct }) {
  const { id, name = "", suspended } = person ?? {};
  return (
    <li className="card card-body gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold">{TITLES[kind]}</h2>
        <p className="quiet text-sm wrap-anywhere">
          <bdi>{operator}</bdi>,{" "}
          <time dateTime={createdAt}>
            {formatRelativeDay(createdAt)}, {formatTime(createdAt)}
          </time>
        </p>
      </div>
      <p className="wrap-anywhere">
        {task && (
          <Link to={paths.dashTask(task.id)} dir="auto" className="link">
            {task.title}
          </Link>
        )}
        {task && name && " · "}
        <PersonWithBadge id={id} name={name} suspended={suspended} />
      </p>
      {(reason || text) && (
        <p className="quiet text-sm wrap-anywhere whitespace-pre-line">
          {reason && `${REPORT_REASON_LABELS[reason]}${text ? ": " : ""}`}
          <bdi>{text}</bdi>
        </p>
      )}
      {kind === "account-suspended" && id && suspended && (
        <div>
          <SuspendButton id={id} name={name} suspended reason={reason ?? "other"} />
        </div>
      )}
    </li>
  );
}
