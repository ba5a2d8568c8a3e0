import type { Task, TimelineEntry } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { formatLocalDate } from "../../lib/format.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useResult } from "../../ui/action-form.tsx";
import { notify, showSuccess } from "../../ui/notify.tsx";
import { useNavigateAfter } from "../../ui/use-navigate-after.ts";
import { When } from "../../ui/when.tsx";
import { useTimeline } from "./delivery-queries.ts";
import {
  AskForChangesButton,
  CompleteUnanswered,
  DeliverForm,
  useDeliverySteps,
  useStepDraft,
} from "./delivery-steps.tsx";
import { EntryDetails, hasFailed, TimelineFailure } from "./timeline.tsx";

type Props = {
  task: Task;
  /** The client's button to accept the work. */
  accept?: ReactNode;
};

/**
 * From award to completion: the freelancer delivers the work, and the client accepts it or asks for changes. Nothing for
 * anybody else.
 */
export function DeliveryPanel({ task, accept }: Props) {
  const { viewer } = task;
  const state = stateNow(task);
  // Not in the forms, which a live update may remove before their result is announced.
  const { deliver, askForChanges, complete } = useDeliverySteps(task);
  const navigateAfter = useNavigateAfter();
  const topic = `delivery-${task._id}`;
  useResult(deliver, ({ ok }) => {
    if (ok) notify.success("Your work is delivered, and your client has been notified.", { topic });
  });
  useResult(askForChanges, ({ ok }) => {
    if (ok) notify.success("The freelancer has been notified of the changes.", { topic });
  });
  useResult(complete, ({ ok }) => {
    if (!ok) return;
    if (complete.input !== undefined)
      return notify.success(`“${complete.input}” is accepted. Go on with the next milestone.`, { topic });
    const closed = showSuccess("The task is completed");
    if (!task.otherSideLeft) void navigateAfter(closed, "#review");
  });
  const changes = useStepDraft(`changes.${task._id}`, state === "delivered");
  const timeline = useTimeline(task);
  // While a failed timeline is loaded again, its data is an earlier version's.
  const data = hasFailed(timeline) ? undefined : timeline.data;
  const role = viewer?.role;
  if ((state !== "awarded" && state !== "delivered") || !role || role === "freelancer") return null;
  const other = viewer.contact?.name ?? (role === "client" ? "the freelancer" : task.name);
  // While the timeline reloads after a step, `data` is still the old one, whose last entry does not match the state.
  const last = data?.entries.at(-1);
  const sentBack = state === "awarded" && last?.kind === "changes-requested" ? last : undefined;
  const delivered = state === "delivered" && last?.kind === "delivered" ? last : undefined;
  // There is nothing for the client to do before the first delivery.
  if (role === "client" && state === "awarded" && !sentBack) return null;
  // The buttons wait for the summary above them, which would otherwise move them while somebody presses one.
  // Not on later loads of the same version, which would close the dialog.
  const isFirstLoad = timeline.isLoading || timeline.isPlaceholderData;
  const isLoading = state === "delivered" && !delivered && isFirstLoad && !hasFailed(timeline);
  const until = delivered && data?.mayCompleteFrom;
  return (
    <section className="grid grid-cols-1 gap-4 border-t border-base-300 pt-4" aria-labelledby="delivery">
      <h3 id="delivery" tabIndex={-1} className="font-semibold wrap-anywhere outline-none">
        {HEADINGS[role][state]}
      </h3>
      {hasFailed(timeline) && <TimelineFailure timeline={timeline} />}
      {sentBack && (
        <StepSummary task={task} entry={sentBack}>
          {role === "client" ? (
            "You asked for changes"
          ) : (
            <>
              <bdi>{other}</bdi> asked for changes
            </>
          )}
        </StepSummary>
      )}
      {delivered && (
        <StepSummary task={task} entry={delivered}>
          {role === "client" ? (
            <>
              <bdi>{other}</bdi> delivered
            </>
          ) : (
            "You delivered"
          )}
        </StepSummary>
      )}
      {role === "hired" && <DeliverForm task={task} name={other} deliver={deliver} />}
      {isLoading && <div className="skeleton h-20" aria-hidden="true" />}
      {role === "client" && state === "delivered" && !isLoading && (
        <div className="grid grid-cols-1 gap-3">
          {accept}
          <AskForChangesButton draft={changes} askForChanges={askForChanges} />
        </div>
      )}
      {until && <CompletionNote role={role} until={until} name={other} hasLeft={task.otherSideLeft} />}
      {role === "hired" && until && Date.parse(until) <= Date.now() && (
        <CompleteUnanswered task={task} complete={complete} />
      )}
    </section>
  );
}

const HEADINGS = {
  client: { awarded: "Changes requested", delivered: "The work is delivered" },
  hired: { awarded: "Deliver your work", delivered: "Your work is delivered" },
} as const;

/** Who did what and when, with their note and links or reason. */
function StepSummary({ task, entry, children }: { task: Task; entry: TimelineEntry; children: ReactNode }) {
  return (
    <div className="space-y-3 rounded-field bg-base-200 p-4">
      <p className="quiet text-sm wrap-anywhere">
        {children} <When at={entry.at} />
      </p>
      <EntryDetails task={task} entry={entry} />
    </div>
  );
}

type CompletionNoteProps = {
  role: "client" | "hired";
  until: string;
  name: string;
  /** Has the other side deleted their account? */
  hasLeft: boolean | undefined;
};

/** From when the freelancer can complete the task themselves if the client does not respond. */
function CompletionNote({ role, until, name, hasLeft }: CompletionNoteProps) {
  const isOver = Date.parse(until) <= Date.now();
  if (role === "hired" && hasLeft) {
    return (
      <p className="text-sm">
        Your client has deleted their account. You can mark the task as completed now.
      </p>
    );
  }
  if (role === "hired" && isOver) {
    return (
      <p className="text-sm wrap-anywhere">
        <bdi>{name}</bdi> has not responded to your work. You can mark the task as completed now.
      </p>
    );
  }
  const day = <time dateTime={until}>{formatLocalDate(until)}</time>;
  return (
    <p className="quiet text-sm wrap-anywhere">
      {role === "hired" && (
        <>
          <bdi>{name}</bdi> can now mark the task as completed or ask for changes. If they do not respond, you
          can mark it as completed from {day} on.
        </>
      )}
      {role === "client" && !isOver && (
        <>
          If you do not respond, <bdi>{name}</bdi> can mark the task as completed from {day} on.
        </>
      )}
      {role === "client" && isOver && (
        <>
          As you have not responded for a while, <bdi>{name}</bdi> can mark the task as completed now.
        </>
      )}
    </p>
  );
}
