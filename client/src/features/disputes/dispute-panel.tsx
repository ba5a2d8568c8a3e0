import { type Dispute, mayAct, type Task } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { formatDate, formatLocalDate, formatUsd } from "../../lib/format.ts";
import { DialogButton } from "../../ui/dialog.tsx";
import { PartFailure } from "../../ui/load-failure.tsx";
import { stateNow, When } from "../../ui/now.tsx";
import { useNewAttempt } from "../../ui/schema-form.tsx";
import { Section, useScrollHere } from "../../ui/section.tsx";
import { AnswerButtons } from "../../ui/send-button.tsx";
import { AttachedFiles, useFilesOn } from "../files/file-list.tsx";
import { useTaskPart } from "../tasks/task-queries.ts";
import { DisputeForm, FORMS, type Form, type Side } from "./dispute-form.tsx";

const HEADINGS: Record<Dispute["state"], string> = {
  proposed: "Proposed to end early",
  refused: "The end was refused",
  disputed: "In dispute",
  decided: "An operator has decided",
  ended: "Ended early",
};

type Step = { form: Form; text?: string; isQuiet?: boolean };

/** What the two sides can do, by the state of their dispute. */
const STEPS: Record<Dispute["state"] | "none", readonly Step[]> = {
  none: [{ form: "propose", isQuiet: true }],
  proposed: [{ form: "state", text: "Open a dispute", isQuiet: true }],
  refused: [{ form: "propose" }, { form: "state", text: "Open a dispute" }],
  disputed: [{ form: "state" }],
  decided: [{ form: "appeal" }],
  ended: [],
};

const OPERATOR_STEPS: readonly Step[] = [{ form: "decide" }];

/** How an awarded task can end early, for its two sides and, once there is a dispute, for operators. */
export function DisputePanel({ task, isCard = false }: { task: Task; isCard?: boolean }) {
  const { _id: id, viewer } = task;
  // Nobody was hired yet for other tasks of the client; operators see none of what was agreed.
  const part = useTaskPart("ending", task, task.wasAwarded === true || viewer?.isOwner !== true);
  const { data } = part;
  const heading = useScrollHere("ending", data !== undefined);
  const isRunning = mayAct("end-early", "client", stateNow(task));
  const dispute = data?.dispute;
  const state = dispute?.state;
  useNewAttempt(`propose.${id}`, data !== undefined && !part.isFetching && (!state || state === "refused"));
  const wasHired = viewer?.role === "hired" || viewer?.bid?.state === "awarded";
  const side = viewer?.role === "client" ? "client" : wasHired ? "freelancer" : undefined;
  // Without their client, a freelancer completes what they delivered.
  const mayPropose = side === "client" || (side && !task.otherSideLeft);
  if (data ? (!mayPropose && !dispute) || (!isRunning && state !== "ended") : !part.hasFailed) return null;
  const steps = side ? STEPS[state ?? "none"] : dispute?.mayDecide ? OPERATOR_STEPS : [];
  return (
    <Section
      id="ending"
      look={isCard ? "side" : "part"}
      title={state ? HEADINGS[state] : FORMS.propose.title}
      isTitleHidden={!state}
      ref={heading}
    >
      <PartFailure what="Proposals and disputes" part={part} />
      {dispute && <DisputeFacts task={task} dispute={dispute} side={side} />}
      {data && isRunning && (
        <div className="flex flex-wrap gap-3">
          {side && dispute?.state === "proposed" && (
            <AnswerButtons
              key={dispute._id}
              what="early end"
              isOwn={dispute.by === side}
              question={{
                title: "End this task early?",
                text: `${dispute.share > 0 ? `The freelancer gets ${formatUsd(dispute.share)}, and the task is completed.` : "The freelancer gets nothing, and the task is cancelled."} This is final.`,
                yes: "Yes, end it",
                no: "Not yet",
              }}
              answer={(call, accepted) =>
                call("PATCH /tasks/:id/ending", {
                  params: { id },
                  body: { disputeId: dispute._id, accepted },
                })
              }
            />
          )}
          {steps
            .filter((step) => step.form !== "appeal" || !dispute?.appeal)
            .map(({ form, text, isQuiet }) => (
              <DialogButton
                key={form}
                title={FORMS[form].title}
                text={form === "state" && side && dispute?.statements[side] ? "Change your case" : text}
                className={isQuiet ? "-ml-3 btn-ghost btn-sm" : "btn-outline"}
              >
                <DisputeForm form={form} task={task} dispute={dispute} side={side} />
              </DialogButton>
            ))}
        </div>
      )}
    </Section>
  );
}

function DisputeFacts({ task, dispute, side }: { task: Task; dispute: Dispute; side: Side | undefined }) {
  const files = useFilesOn(task, dispute._id);
  const { state, by, at, share, reason, statements, messages = [], decisions, appeal, due } = dispute;
  const agreed = dispute.agreement?.versions.at(-1);
  const nameOf = (who: Side) => (who === side ? "You" : <bdi>{dispute[who]}</bdi>);
  return (
    <div className="grid gap-3 text-sm wrap-anywhere">
      {agreed && (
        <p>
          Agreed: {formatUsd(agreed.amount)} by {formatDate(agreed.due)}.
        </p>
      )}
      <Quote text={reason}>
        {nameOf(by)} proposed <When at={at} /> that the freelancer gets {formatUsd(share)}
      </Quote>
      {(["client", "freelancer"] as const).map(
        (who) =>
          statements[who] && (
            <div key={who} className="grid gap-2">
              <Quote text={statements[who]}>{nameOf(who)} said</Quote>
              <AttachedFiles files={files?.filter((file) => file.by === who)} />
            </div>
          ),
      )}
      {messages.length > 0 && (
        <details>
          <summary className="cursor-pointer font-medium">Submitted messages ({messages.length})</summary>
          <ul className="mt-2 grid gap-2">
            {messages.map(({ by, text, at, files }, index) => (
              <li key={index} className="grid gap-2">
                <Quote text={text}>
                  {nameOf(by)}, <When at={at} />
                </Quote>
                <AttachedFiles files={files} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {decisions.map((one) => (
        <Quote key={one.at} text={one.reason}>
          An operator decided <When at={one.at} /> that the freelancer gets {formatUsd(one.share)}
        </Quote>
      ))}
      {appeal && <Quote text={appeal.reason}>{nameOf(appeal.by)} appealed</Quote>}
      {due && state === "proposed" && (
        <p className="quiet">Without an answer it becomes a dispute on {formatLocalDate(due)}.</p>
      )}
      {due && state === "decided" && (
        <p className="quiet">It takes effect on {formatLocalDate(due)}, unless one of you appeals.</p>
      )}
      {state === "disputed" && (
        <p className="quiet">
          {due
            ? `Another operator decides. Without another decision, the first one takes effect on ${formatLocalDate(due)}.`
            : "An operator reads what both sides say, and decides."}
        </p>
      )}
      {state === "ended" && (
        <p>The freelancer gets {formatUsd(task.state === "completed" ? (task.agreed?.amount ?? 0) : 0)}.</p>
      )}
    </div>
  );
}

/** Who said or did something, and their words. */
function Quote({ text, children }: { text: string | undefined; children: ReactNode }) {
  return (
    <div>
      <p className="quiet">{children}</p>
      {text && (
        <p dir="auto" className="whitespace-pre-line">
          {text}
        </p>
      )}
    </div>
  );
}
