import type { Task, TimelineEntry } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { useFetcher } from "react-router-dom";
import { formatDayOf, formatWhen } from "../../lib/format.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useResult } from "../../ui/action-form.tsx";
import { notify } from "../../ui/notify.tsx";
import { showSuccess } from "../../ui/popup.ts";
import { useNavigateAfter } from "../../ui/use-navigate-after.ts";
import type { DeliveryResult } from "./delivery-action.ts";
import { useTimeline } from "./delivery-queries.ts";
import { AskForChangesButton, CompleteUnanswered, DeliverForm, useStepDraft } from "./delivery-steps.tsx";
import { HandedIn, hasFailed, TimelineFailure } from "./timeline.tsx";

type Props = {
  task: Task;
  /** The client's way to accept the work. */
  accept?: ReactNode;
};

/**
 * Between an award and its completion: the freelancer hands in the work, the client looks at it and accepts it or sends it
 * back. Nothing for anybody else.
 */
export function DeliveryPanel({ task, accept }: Props) {
  const { viewer } = task;
  const state = stateNow(task);
  // Here, and not in the forms: live news may take those away before their result is said.
  const fetcher = useFetcher<DeliveryResult>();
  const navigateAfter = useNavigateAfter();
  useResult(fetcher, (result) => {
    if (!result.ok) return;
    const said = SAID[result.did];
    if (result.did === "completed") {
      const over = showSuccess(said);
      if (!task.otherSideLeft) void navigateAfter(over, "#review");
    } else notify.success(said, { topic: `delivery-${task._id}` });
  });
  const changes = useStepDraft(`changes.${task._id}`, state === "delivered");
  const timeline = useTimeline(task);
  const { data } = timeline;
  const role = viewer?.role;
  if ((state !== "awarded" && state !== "delivered") || !role || role === "freelancer") return null;
  const other = viewer.contact?.name ?? (role === "client" ? "the freelancer" : task.name);
  // While the timeline of a new step is read, the one before stands for it: what it ends with is an earlier step then.
  const last = data?.entries.at(-1);
  const sentBack = state === "awarded" && last?.kind === "changes-requested" ? last : undefined;
  const delivered = state === "delivered" && last?.kind === "delivered" ? last : undefined;
  // Until something is delivered there is nothing for the client to do.
  if (role === "client" && state === "awarded" && !sentBack) return null;
  const until = delivered && data?.mayCompleteFrom;
  return (
    <section className="card card-body gap-4 shadow-card" aria-labelledby="delivery">
      <h2 id="delivery" tabIndex={-1} className="text-lg font-semibold wrap-anywhere outline-none">
        {HEADINGS[role][state]}
      </h2>
      {hasFailed(timeline) && <TimelineFailure timeline={timeline} />}
      {sentBack && (
        <Said entry={sentBack}>
          {role === "client" ? (
            "You asked for changes"
          ) : (
            <>
              <bdi>{other}</bdi> asked for changes
            </>
          )}
        </Said>
      )}
      {delivered && (
        <Said entry={delivered}>
          {role === "client" ? (
            <>
              <bdi>{other}</bdi> delivered
            </>
          ) : (
            "You delivered"
          )}
        </Said>
      )}
      {role === "hired" && <DeliverForm task={task} name={other} fetcher={fetcher} />}
      {role === "client" && state === "delivered" && (
        <div className="grid grid-cols-1 gap-3">
          {accept}
          <AskForChangesButton task={task} draft={changes} fetcher={fetcher} />
        </div>
      )}
      {until && <Until role={role} until={until} name={other} hasLeft={task.otherSideLeft} />}
      {role === "hired" && until && Date.parse(until) <= Date.now() && (
        <CompleteUnanswered task={task} fetcher={fetcher} />
      )}
    </section>
  );
}

const SAID = {
  delivered: "Your work is delivered, and your client is told.",
  "sent-back": "The freelancer is told what to change.",
  completed: "The task is completed",
} as const;

const HEADINGS = {
  client: { awarded: "Changes asked for", delivered: "The work is delivered" },
  hired: { awarded: "Deliver your work", delivered: "Your work is delivered" },
} as const;

/** Who did what and when, with what they said. */
function Said({ entry, children }: { entry: TimelineEntry; children: ReactNode }) {
  return (
    <div className="space-y-3 rounded-field bg-base-200 p-4">
      <p className="quiet text-sm wrap-anywhere">
        {children} <time dateTime={entry.at}>{formatWhen(entry.at)}</time>
      </p>
      <HandedIn entry={entry} />
    </div>
  );
}

type UntilProps = {
  role: "client" | "hired";
  until: string;
  name: string;
  /** Has the other side deleted their account? */
  hasLeft: boolean | undefined;
};

/** What becomes of a delivery that the client does not react to. */
function Until({ role, until, name, hasLeft }: UntilProps) {
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
        <bdi>{name}</bdi> has not reacted to your work. You can mark the task as completed now.
      </p>
    );
  }
  const day = <time dateTime={until}>{formatDayOf(until)}</time>;
  return (
    <p className="quiet text-sm wrap-anywhere">
      {role === "hired" && (
        <>
          <bdi>{name}</bdi> marks the task as completed, or asks for changes. If they do not react, you can
          mark it as completed from {day} on.
        </>
      )}
      {role === "client" && !isOver && (
        <>
          If you do not react, <bdi>{name}</bdi> can mark the task as completed from {day} on.
        </>
      )}
      {role === "client" && isOver && (
        <>
          As you have not reacted for a while, <bdi>{name}</bdi> can mark the task as completed now.
        </>
      )}
    </p>
  );
}
