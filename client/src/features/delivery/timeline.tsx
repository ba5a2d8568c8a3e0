import type { Task, TimelineEntry, TimelineKind } from "@tasklane/server/contract";
import {
  BadgeCheck,
  Ban,
  Banknote,
  CircleCheckBig,
  CircleOff,
  CircleX,
  ClipboardPlus,
  ExternalLink,
  FilePenLine,
  type LucideIcon,
  MessageSquareWarning,
  PackageCheck,
  RotateCcw,
} from "lucide-react";
import { formatRelativeDay, formatTime } from "../../lib/format.ts";
import { stateNow } from "../../lib/state-now.ts";
import { ClampedText } from "../../ui/clamped-text.tsx";
import { useNow } from "../../ui/use-now.ts";
import { AttachedFiles } from "../files/file-list.tsx";
import { useFilesOn } from "../files/file-queries.ts";
import { useTimeline } from "./delivery-queries.ts";

const STEPS: Record<TimelineKind, { word: string; Icon: LucideIcon }> = {
  posted: { word: "Posted", Icon: ClipboardPlus },
  awarded: { word: "Awarded", Icon: BadgeCheck },
  "change-proposed": { word: "Change proposed", Icon: FilePenLine },
  "change-accepted": { word: "Change accepted", Icon: BadgeCheck },
  "change-refused": { word: "Change refused", Icon: CircleX },
  "change-withdrawn": { word: "Proposal withdrawn", Icon: CircleOff },
  delivered: { word: "Work delivered", Icon: PackageCheck },
  "changes-requested": { word: "Changes requested", Icon: MessageSquareWarning },
  completed: { word: "Completed", Icon: CircleCheckBig },
  "milestone-accepted": { word: "Milestone accepted", Icon: CircleCheckBig },
  "payment-sent": { word: "Marked as paid", Icon: Banknote },
  "payment-received": { word: "Payment confirmed", Icon: CircleCheckBig },
  "payment-missing": { word: "Payment not received", Icon: MessageSquareWarning },
  cancelled: { word: "Cancelled", Icon: Ban },
  closed: { word: "Closed, as nobody was hired", Icon: CircleOff },
  reopened: { word: "Reopened", Icon: RotateCcw },
};

/** The steps of a task, oldest first. Hidden while "Posted" is the only one. */
export function Timeline({ task }: { task: Task }) {
  const timeline = useTimeline(task);
  useNow();
  const failed = hasFailed(timeline);
  const entries = (!failed && timeline.data?.entries) || [];
  if (!failed && entries.length < 2) return null;
  // A delivery that the client has yet to accept is shown in full in the delivery panel.
  const inPanel = stateNow(task) === "delivered" ? entries.at(-1) : undefined;
  return (
    <section className="card card-body gap-4 sm:p-8" aria-labelledby="timeline">
      <h2 id="timeline" className="text-lg font-semibold">
        Timeline
      </h2>
      {failed && <TimelineFailure timeline={timeline} />}
      <ol className="space-y-4">
        {entries.map((entry) => (
          <Step key={entry._id} task={task} entry={entry} isShort={entry === inPanel} />
        ))}
      </ol>
    </section>
  );
}

function Step({ task, entry, isShort }: { task: Task; entry: TimelineEntry; isShort: boolean }) {
  const { word, Icon } = STEPS[entry.kind];
  return (
    <li className="flex flex-wrap items-start gap-3">
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full bg-base-200 text-primary"
      >
        <Icon className="size-4" />
      </span>
      <div className="min-w-0 grow basis-40 space-y-1.5 pt-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">
            {word}
            {entry.kind === "completed" && entry.by === "freelancer" && " by the freelancer"}
          </span>
          <time dateTime={entry.at} className="quiet text-sm tabular-nums">
            {formatRelativeDay(entry.at)}, {formatTime(entry.at)}
          </time>
        </p>
        {!isShort && <EntryDetails task={task} entry={entry} />}
      </div>
    </li>
  );
}

/** A step's note and links, or its reason. Links show their full address, so that people see where they lead. */
export function EntryDetails({
  task,
  entry: { _id, kind, note, links = [], reason },
}: {
  task: Task;
  entry: TimelineEntry;
}) {
  const text = note ?? reason;
  const files = useFilesOn(task, kind === "delivered" ? _id : undefined);
  return (
    <>
      {text && <ClampedText text={text} lines={8} />}
      {links.length > 0 && (
        <ul aria-label="Links" className="space-y-1.5 text-sm">
          {links.map((link, index) => (
            <li key={index}>
              <a
                href={link}
                target="_blank"
                rel="nofollow ugc noopener noreferrer"
                className="link inline-flex max-w-full items-start gap-1.5 link-primary"
              >
                <ExternalLink aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
                <span dir="ltr" className="min-w-0 wrap-anywhere">
                  {link}
                </span>
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <AttachedFiles files={files} label="Delivered files" />
    </>
  );
}

type TimelineQuery = Pick<
  ReturnType<typeof useTimeline>,
  "data" | "isFetching" | "errorUpdateCount" | "isPlaceholderData" | "refetch"
>;

/** Has every attempt so far failed? Stays true during a retry, when the query has already cleared its error. */
export function hasFailed({ data, isPlaceholderData, errorUpdateCount }: TimelineQuery): boolean {
  // During a retry, the data is that of an earlier version.
  return (!data || isPlaceholderData) && errorUpdateCount > 0;
}

/** Shown instead of the steps when they could not be loaded. */
export function TimelineFailure({ timeline: { isFetching, refetch } }: { timeline: TimelineQuery }) {
  return (
    <p role="alert" className="text-sm">
      The history of this task could not be loaded.{" "}
      <button
        type="button"
        className="link link-primary"
        aria-disabled={isFetching || undefined}
        onClick={() => void (isFetching || refetch())}
      >
        {isFetching ? "Trying…" : "Try again"}
      </button>
    </p>
  );
}
