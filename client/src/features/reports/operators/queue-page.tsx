import { FIRST_TASKS, QUEUE_KINDS, type QueueItem, type QueueKind } from "@tasklane/server/contract";
import { CircleCheck, Inbox } from "lucide-react";
import { Link, type LoaderFunctionArgs, useSearchParams } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { listQuery } from "../../../lib/queries.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { ClampedText } from "../../../ui/user-text.tsx";
import {
  type Filter,
  loadForOperator,
  OperatorList,
  PAGE_SIZE,
  readFilters,
  STATE,
} from "./operators-layout.tsx";
import { Quotes, SubjectCard } from "./subject-card.tsx";

/** Why an entry is in the queue, on its card and in the filter. */
const KINDS: Record<QueueKind, readonly [why: string, option: string]> = {
  "first-task": ["New client", "First tasks of a client"],
  "contact-data": ["Contact data", "Contact data"],
  dispute: ["Dispute", "Dispute"],
  "infected-file": ["Infected file", "Infected file"],
};

const KIND_OPTIONS = QUEUE_KINDS.map((kind) => [kind, KINDS[kind][1]] as const);
const FILTERS: readonly Filter[] = [
  STATE,
  { name: "kind", label: "Why", options: [["", "Everything"], ...KIND_OPTIONS] },
];

const queueQuery = (params: URLSearchParams) => {
  const filters = readFilters(params, FILTERS);
  return listQuery(["operators", "queue", filters], PAGE_SIZE, "GET /operators/queue", { query: filters });
};

export const loader = (args: LoaderFunctionArgs) => loadForOperator(args, queueQuery);

/** What operators should check although nobody reported it. */
export function Component() {
  const { state, kind } = readFilters(useSearchParams()[0], FILTERS);
  return (
    <OperatorList
      title="Queue"
      intro={`Disputes to decide, the first ${FIRST_TASKS} tasks of each client, contact data that was shared before an award, and uploads with a virus, which were refused. Nothing here needs your approval to be public.`}
      queryOf={queueQuery}
      what="entries"
      hint="Check some to see more."
      filters={FILTERS}
      empty={
        state === "open" && !kind ? (
          <StatePanel icon={<CircleCheck />} title="Nothing to check" />
        ) : (
          <StatePanel icon={<Inbox />} title="No matching entries">
            Nothing matches these filters.
          </StatePanel>
        )
      }
    >
      {(item) => <QueueCard key={item._id} item={item} />}
    </OperatorList>
  );
}

/** One entry of the queue: what to check and why, and what an operator can do about it. */
function QueueCard({ item }: { item: QueueItem }) {
  const { kind, note, task, bid } = item;
  return (
    <SubjectCard
      kind="item"
      subject={kind === "infected-file" ? { ...item, about: "file" } : item}
      why={KINDS[kind][0]}
      reason="spam"
      next={
        kind === "dispute"
          ? !item.settled && (
              <Link to={paths.ending(item.taskId)} className="btn btn-primary btn-sm">
                See the dispute
              </Link>
            )
          : undefined
      }
    >
      {note && (
        <p className="wrap-anywhere">
          {kind === "contact-data" ? `Found: ${note}` : note.replace(/\.$/, "")}.
        </p>
      )}
      {item.about === "bid" && !bid && <p>This bid was withdrawn.</p>}
      {task && item.about !== "bid" && <ClampedText text={task.description} />}
      <Quotes
        texts={[item.about === "bid" ? undefined : task?.screeningQuestion, bid?.message, bid?.answer]}
      />
    </SubjectCard>
  );
}
