import { DAYS_TO_REACT, type Task } from "@tasklane/server/contract";
import { type ReactNode, useEffect } from "react";
import type { Api } from "../../lib/api.ts";
import { serverTime } from "../../lib/clock.ts";
import { removeDraft, renewIdempotencyKey } from "../../lib/drafts.ts";
import { formatLocalDate } from "../../lib/format.ts";
import { showSuccess } from "../../ui/confirm.ts";
import { PartFailure } from "../../ui/load-failure.tsx";
import { notify } from "../../ui/notify.tsx";
import { stateNow, When } from "../../ui/now.tsx";
import { useDraft } from "../../ui/schema-form.tsx";
import { Section } from "../../ui/section.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { useNavigateAfter } from "../../ui/use-navigate-after.ts";
import { currentMilestone } from "../agreements/milestones.tsx";
import { AskForChanges, DeliverForm } from "./delivery-forms.tsx";
import { currentStep, EntryDetails, useTimeline } from "./timeline.tsx";

const HEADINGS = {
  client: { awarded: "Changes requested", delivered: "The work is delivered" },
  hired: { awarded: "Deliver your work", delivered: "Your work is delivered" },
} as const;

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
  useStepDraft(`delivery.${task._id}`, state === "awarded");
  useStepDraft(`changes.${task._id}`, state === "delivered");
  const timeline = useTimeline(task);
  const role = viewer?.role;
  if ((state !== "awarded" && state !== "delivered") || !role || role === "freelancer") return null;
  const isClient = role === "client";
  const name = viewer.contact?.name ?? (isClient ? "the freelancer" : task.name);
  const step = currentStep(timeline.data?.entries, state);
  // There is nothing for the client to do before the first delivery.
  if (isClient && state === "awarded" && !step) return null;
  const until = state === "delivered" && step && timeline.data?.mayCompleteFrom;
  return (
    <Section id="delivery" look="part" title={HEADINGS[role][state]}>
      <PartFailure what="The history of this task" part={timeline} />
      {step && (
        <div className="space-y-3 rounded-field bg-base-200 p-4">
          <p className="quiet text-sm wrap-anywhere">
            {isClient === (state === "awarded") ? (
              "You"
            ) : (
              <bdi>{isClient && !viewer.contact ? "The freelancer" : name}</bdi>
            )}{" "}
            {state === "awarded" ? "asked for changes" : "delivered"} <When at={step.at} />
          </p>
          <EntryDetails task={task} entry={step} />
        </div>
      )}
      {!isClient && state === "awarded" && <DeliverForm task={task} name={name} />}
      {/*
        The buttons wait for the summary above them, which would otherwise move them while somebody presses one. Not on
        later loads of the same version, which would close the dialog.
      */}
      {state === "delivered" && !step && timeline.isFirstLoad ? (
        <div className="skeleton h-20" aria-hidden="true" />
      ) : (
        isClient &&
        state === "delivered" && (
          <div className="grid grid-cols-1 gap-3">
            {accept}
            <AskForChanges task={task} />
          </div>
        )
      )}
      {until && <CompletionNote task={task} isClient={isClient} until={until} name={name} />}
      {!isClient && until && Date.parse(until) <= serverTime().getTime() && (
        <CompleteUnanswered task={task} />
      )}
    </Section>
  );
}

/**
 * The draft of a step that can happen several times on one task. It is removed once the step is done, even if the
 * response was lost, and each round gets its own idempotency key.
 * @param isNext can the step be done now?
 */
function useStepDraft(form: string, isNext: boolean): void {
  const draft = useDraft(form);
  useEffect(() => {
    if (isNext) renewIdempotencyKey(draft);
    else removeDraft(draft);
  }, [draft, isNext]);
}

/** Lets the freelancer complete the task when the client has not responded in time or has deleted their account. */
function CompleteUnanswered({ task }: { task: Task }) {
  const { _id: id, otherSideLeft } = task;
  const navigateAfter = useNavigateAfter();
  const milestone = currentMilestone(task);
  const isPart = milestone?.isLast === false;
  const complete = async (call: Api["call"]) => {
    await call("POST /tasks/:id/completion", { params: { id } });
    if (isPart)
      return notify.success(`“${milestone.name}” is accepted. Go on with the next milestone.`, {
        topic: `delivery-${id}`,
      });
    const closed = showSuccess("The task is completed");
    if (!otherSideLeft) void navigateAfter(closed, "#review");
  };
  return (
    <SendButton
      send={complete}
      question={{
        title: isPart ? "Mark this milestone as accepted?" : "Mark the task as completed?",
        text: otherSideLeft
          ? "Your client has deleted their account. The task stays on your record."
          : `Your client has not responded for ${DAYS_TO_REACT} days. They will be notified, and you can ${isPart ? "go on with the next one" : "review each other"}.`,
        yes: isPart ? "Yes, it is done" : "Yes, it is completed",
        no: "Not yet",
        tone: "primary",
      }}
      className="btn-primary"
    >
      {isPart ? "Mark as accepted" : "Mark as completed"}
    </SendButton>
  );
}

type NoteProps = { task: Task; isClient: boolean; until: string; name: string };

/** From when the freelancer can complete the task themselves if the client does not respond. */
function CompletionNote({ task, isClient, until, name }: NoteProps) {
  const { otherSideLeft } = task;
  const [what, done] =
    currentMilestone(task)?.isLast === false ? ["the milestone", "accepted"] : ["the task", "completed"];
  const isOver = Date.parse(until) <= serverTime().getTime();
  const who = <bdi>{name}</bdi>;
  const from = (
    <>
      from <time dateTime={until}>{formatLocalDate(until)}</time> on
    </>
  );
  if (!isClient && (isOver || otherSideLeft))
    return (
      <p className="text-sm wrap-anywhere">
        {otherSideLeft ? (
          "Your client has deleted their account."
        ) : (
          <>{who} has not responded to your work.</>
        )}{" "}
        You can mark {what} as {done} now.
      </p>
    );
  return (
    <p className="quiet text-sm wrap-anywhere">
      {isClient ? (
        <>
          {isOver ? "As you have not responded for a while" : "If you do not respond"}, {who} can mark {what}{" "}
          as {done} {isOver ? "now" : from}.
        </>
      ) : (
        <>
          {who} can now mark {what} as {done} or ask for changes. If they do not respond, you can mark it as{" "}
          {done} {from}.
        </>
      )}
    </p>
  );
}
