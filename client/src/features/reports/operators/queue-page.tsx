import { FIRST_TASKS, type QueueItem } from "@tasklane/server/contract";
import { CircleCheck, Inbox } from "lucide-react";
import { type LoaderFunctionArgs, useSearchParams } from "react-router-dom";
import { ClampedText } from "../../../ui/clamped-text.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { ListFilters, QUEUE_SELECTS, readQueueFilters } from "./list-filters.tsx";
import { OperatorList } from "./operator-list.tsx";
import { loadForOperator, queueQuery } from "./operator-queries.ts";
import { Quotes, SubjectCard } from "./subject-card.tsx";

export const loader = (args: LoaderFunctionArgs) =>
  loadForOperator(args, (params) => queueQuery(readQueueFilters(params)));

/** What operators should check although nobody reported it. */
export function Component() {
  const filters = readQueueFilters(useSearchParams()[0]);
  return (
    <OperatorList
      title="Queue"
      intro={`Disputes to decide, the first ${FIRST_TASKS} tasks of each client, and contact data that was shared before an award, and uploads with a virus, which were refused. Nothing here needs your approval to be public.`}
      query={queueQuery(filters)}
      what="entries"
      hint="Check some to see more."
      filters={<ListFilters selects={QUEUE_SELECTS} />}
      empty={
        filters.state === "open" && !filters.kind ? (
          <StatePanel icon={<CircleCheck className="size-7" />} title="Nothing to check">
            New entries appear here automatically.
          </StatePanel>
        ) : (
          <StatePanel icon={<Inbox className="size-7" />} title="No matching entries">
            Nothing matches these filters.
          </StatePanel>
        )
      }
    >
      {(item) => <QueueCard key={item._id} item={item} />}
    </OperatorList>
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
  const { kind, note, task, bid } = item;
  return (
    <SubjectCard kind="item" subject={item} why={WHY[kind]} reason="spam">
      {note && (
        <p className="wrap-anywhere">
          {kind === "contact-data" ? `Found: ${note}` : note.replace(/\.$/, "")}.
        </p>
      )}
      {task && !bid && <ClampedText text={task.description} />}
      <Quotes texts={[bid ? undefined : task?.screeningQuestion, bid?.message, bid?.answer]} />
    </SubjectCard>
  );
}
