import type { Task, TaskState, TimelineEntry, TimelineKind } from "@tasklane/server/contract";
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
import { PartFailure } from "../../ui/load-failure.tsx";
import { stateNow, useNow } from "../../ui/now.tsx";
import { Section } from "../../ui/section.tsx";
import { ClampedText } from "../../ui/user-text.tsx";
import { AttachedFiles, useFilesOn } from "../files/file-list.tsx";
import { useTaskPart } from "../tasks/task-queries.ts";

const STEPS: Record<TimelineKind, [word: string, Icon: LucideIcon]> = {
  posted: ["Posted", ClipboardPlus],
  awarded: ["Awarded", BadgeCheck],
  "change-proposed": ["Change proposed", FilePenLine],
  "change-accepted": ["Change accepted", BadgeCheck],
  "change-refused": ["Change refused", CircleX],
  "change-withdrawn": ["Proposal withdrawn", CircleOff],
  delivered: ["Work delivered", PackageCheck],
  "changes-requested": ["Changes requested", MessageSquareWarning],
  completed: ["Completed", CircleCheckBig],
  "milestone-accepted": ["Milestone accepted", CircleCheckBig],
  "payment-sent": ["Marked as paid", Banknote],
  "payment-received": ["Payment confirmed", CircleCheckBig],
  "payment-missing": ["Payment not received", MessageSquareWarning],
  cancelled: ["Cancelled", Ban],
  closed: ["Closed, as nobody was hired", CircleOff],
  reopened: ["Reopened", RotateCcw],
};

/**
 * The task's timeline; the previous one while it reloads. Not fetched for a task that was never awarded. Of an open one
 * bidders do not know that: one of them may have been hired before it was reopened.
 */
export function useTimeline(task: Task) {
  const mayBeAwarded =
    task.wasAwarded || task.viewer?.hasBid || !["open", "expired"].includes(stateNow(task));
  return useTaskPart("timeline", task, mayBeAwarded);
}

/** What moves the work on. Payments and changes of the agreement can happen at any time between. */
const ROUND: readonly TimelineKind[] = ["awarded", "delivered", "changes-requested", "milestone-accepted"];

/** The delivery that the client has yet to accept, or else the changes that they have asked for since. */
export function currentStep(entries: readonly TimelineEntry[] = [], state: TaskState) {
  // While the timeline reloads after a step, this is an earlier one, which does not match the state.
  const last = entries.findLast(({ kind }) => ROUND.includes(kind));
  return last?.kind === (state === "awarded" ? "changes-requested" : "delivered") ? last : undefined;
}

/** The steps of a task, oldest first. Hidden while "Posted" is the only one. */
export function Timeline({ task }: { task: Task }) {
  const timeline = useTimeline(task);
  useNow();
  const entries = timeline.data?.entries ?? [];
  if (!timeline.hasFailed && entries.length < 2) return null;
  // A delivery that the client has yet to accept is shown in full in the delivery panel.
  const state = stateNow(task);
  const inPanel = state === "delivered" ? currentStep(entries, state) : undefined;
  return (
    <Section id="timeline" title="Timeline">
      <PartFailure what="The history of this task" part={timeline} />
      <ol className="space-y-4">
        {entries.map((entry) => (
          <Step key={entry._id} task={task} entry={entry} isShort={entry === inPanel} />
        ))}
      </ol>
    </Section>
  );
}

type StepProps = { task: Task; entry: TimelineEntry; isShort: boolean };

function Step({ task, entry, isShort }: StepProps) {
  const [word, Icon] = STEPS[entry.kind];
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
}: Pick<StepProps, "task" | "entry">) {
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
                <ExternalLink className="mt-0.5 size-4 shrink-0" />
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
