import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { FIRST_TASKS, type QueueItem } from "@tasklane/server/contract";
import { CircleCheck, Inbox } from "lucide-react";
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router-dom";
import { type ListLoad, useApi } from "../../../lib/api-context.tsx";
import { firstItems, shownCount } from "../../../lib/pages.ts";
import { ClampedText } from "../../../ui/clamped-text.tsx";
import { LoadMoreLink } from "../../../ui/load-more.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useListUpdate } from "../../../ui/use-list-update.ts";
import { CardActions, CardHeading, CardPeople, CardState, Quotes } from "./card-parts.tsx";
import { ListFilters, QUEUE_SELECTS, readQueueFilters } from "./list-filters.tsx";
import { ModerationActions } from "./moderation-actions.tsx";
import { loadForOperator, PAGE_SIZE, queueQuery } from "./operator-queries.ts";

export const loader = (args: LoaderFunctionArgs) =>
  loadForOperator(args, (api, params) => queueQuery(api, readQueueFilters(params)));

/** What operators should check although nobody reported it. */
export function Component() {
  const [params] = useSearchParams();
  const shown = shownCount(params, PAGE_SIZE);
  const filters = readQueueFilters(params);
  const { failure } = useLoaderData<ListLoad>();
  const { data } = useSuspenseInfiniteQuery(queueQuery(useApi(), filters));
  const { items, hasMore } = firstItems(data, shown);
  const stale = useListUpdate();
  return (
    <div className="space-y-6">
      <PageMeta title="Queue" />
      <PageHeading title="Queue">
        Disputes to decide, the first {FIRST_TASKS} tasks of each client, and contact data that was shared
        before an award, and uploads with a virus, which were refused. Nothing here needs your approval to be
        public.
      </PageHeading>
      <ListFilters selects={QUEUE_SELECTS} />
      {items.length === 0 &&
        (filters.state === "open" && !filters.kind ? (
          <StatePanel icon={<CircleCheck className="size-7" />} title="Nothing to check">
            New entries appear here automatically.
          </StatePanel>
        ) : (
          <StatePanel icon={<Inbox className="size-7" />} title="No matching entries">
            Nothing matches these filters.
          </StatePanel>
        ))}
      <ul
        aria-busy={stale}
        className={`grid grid-cols-1 gap-4 transition-opacity ${stale ? "opacity-60" : ""}`}
      >
        {items.map((item) => (
          <QueueCard key={item._id} item={item} />
        ))}
      </ul>
      <LoadMoreLink
        shown={shown}
        count={items.length}
        pageSize={PAGE_SIZE}
        hasMore={hasMore}
        what="entries"
        failure={failure}
        hint="Check some to see more."
      />
    </div>
  );
}

const WHY = {
  "first-task": "New client",
  "contact-data": "Contact data",
  dispute: "Dispute",
  "infected-file": "Infected file",
} as const;

/** One entry of the queue: what to check and why, and what an operator can do about it. */
function QueueCard({ item }: { item: QueueItem }) {
  const { _id, kind, note, task, bid, settled } = item;
  const heading = `about-${_id}`;
  return (
    // Names the item for screen readers, as every card has the same buttons.
    <li className="card card-body gap-4" aria-labelledby={heading}>
      <CardState {...item} done="Checked" />
      <div className="space-y-1.5">
        <CardHeading id={heading} {...item} why={WHY[kind]} />
        <CardPeople {...item} />
        {note && (
          <p className="wrap-anywhere">
            {kind === "contact-data" ? `Found: ${note}` : note.replace(/\.$/, "")}.
          </p>
        )}
        {task && !bid && <ClampedText text={task.description} />}
        <Quotes texts={[bid ? undefined : task?.screeningQuestion, bid?.message, bid?.answer]} />
      </div>
      <CardActions
        subject={item}
        act="settle-item"
        id={_id}
        settled={settled}
        texts={["Mark as checked", "Back to the queue"]}
      >
        <ModerationActions subject={item} reason="spam" />
      </CardActions>
    </li>
  );
}
