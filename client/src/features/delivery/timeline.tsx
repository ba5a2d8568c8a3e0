import type { Task, TimelineEntry, TimelineKind } from "@tasklane/server/contract";
import {
  BadgeCheck,
  Ban,
  CircleCheckBig,
  CircleOff,
  ClipboardPlus,
  ExternalLink,
  type LucideIcon,
  MessageSquareWarning,
  PackageCheck,
  RotateCcw,
} from "lucide-react";
import { formatDay, formatTime } from "../../lib/format.ts";
import { stateNow } from "../../lib/state-now.ts";
import { ClampedText } from "../../ui/clamped-text.tsx";
import { useTimeline } from "./delivery-queries.ts";

const STEPS: Record<TimelineKind, { word: string; Icon: LucideIcon }> = {
  posted: { word: "Posted", Icon: ClipboardPlus },
  awarded: { word: "Awarded", Icon: BadgeCheck },
  delivered: { word: "Work delivered", Icon: PackageCheck },
  "changes-requested": { word: "Changes asked for", Icon: MessageSquareWarning },
  completed: { word: "Completed", Icon: CircleCheckBig },
  cancelled: { word: "Cancelled", Icon: Ban },
  closed: { word: "Closed, as nobody was hired", Icon: CircleOff },
  reopened: { word: "Reopened", Icon: RotateCcw },
};

/** What has happened to a task, oldest first; nothing while it was only posted. */
export function Timeline({ task }: { task: Task }) {
  const timeline = useTimeline(task);
  const entries = timeline.data?.entries ?? [];
  const failed = hasFailed(timeline);
  if (!failed && entries.length < 2) return null;
  // While it waits for the client it stands in a panel of its own.
  const waiting = stateNow(task) === "delivered" ? entries.at(-1) : undefined;
  return (
    <section className="card card-body gap-4 sm:p-8" aria-labelledby="timeline">
      <h2 id="timeline" className="text-lg font-semibold">
        Timeline
      </h2>
      {failed && <TimelineFailure timeline={timeline} />}
      <ol className="space-y-4">
        {entries.map((entry) => (
          <Step key={entry._id} entry={entry} isShort={entry === waiting} />
        ))}
      </ol>
    </section>
  );
}

function Step({ entry, isShort }: { entry: TimelineEntry; isShort: boolean }) {
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
            {formatDay(entry.at)}, {formatTime(entry.at)}
          </time>
        </p>
        {!isShort && <HandedIn entry={entry} />}
      </div>
    </li>
  );
}

/** What was said with a step: a note and links, or a reason. Links are shown as they are, so that people see where they go. */
export function HandedIn({ entry: { note, links = [], reason } }: { entry: TimelineEntry }) {
  const text = note ?? reason;
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
    </>
  );
}

type TimelineQuery = Pick<
  ReturnType<typeof useTimeline>,
  "data" | "isFetching" | "errorUpdateCount" | "refetch"
>;

/** Could nothing be read so far? Also while it is being tried again, when the query has forgotten its error. */
export function hasFailed({ data, errorUpdateCount }: TimelineQuery): boolean {
  return !data && errorUpdateCount > 0;
}

/** Stands where the steps would be if they could not be read. */
export function TimelineFailure({ timeline: { isFetching, refetch } }: { timeline: TimelineQuery }) {
  return (
    <p role="alert" className="text-sm">
      What has happened to this task could not be loaded.{" "}
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
