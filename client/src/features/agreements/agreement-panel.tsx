import { type Agreement, mayAct, type Task } from "@tasklane/server/contract";
import { DownloadButton } from "../../auth/download-button.tsx";
import type { Api } from "../../lib/api.ts";
import { formatDate, formatUsd } from "../../lib/format.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { DialogButton } from "../../ui/dialog.tsx";
import { Fact } from "../../ui/fact.tsx";
import { PartFailure } from "../../ui/load-failure.tsx";
import { notify } from "../../ui/notify.tsx";
import { Day, stateNow, When } from "../../ui/now.tsx";
import { useNewAttempt } from "../../ui/schema-form.tsx";
import { Section, useScrollHere } from "../../ui/section.tsx";
import { AnswerButtons } from "../../ui/send-button.tsx";
import { useTaskPart } from "../tasks/task-queries.ts";
import { MilestoneList } from "./milestones.tsx";
import { ProposeForm, proposalDraft } from "./propose-dialog.tsx";

type Terms = Agreement["versions"][number];

/** What client and freelancer agreed on, its changes, and the proposal that waits for an answer. Nothing for others. */
export function AgreementPanel({ task }: { task: Task }) {
  const { agreed, viewer } = task;
  const part = useTaskPart("agreement", task, agreed !== undefined);
  const { data, error } = part;
  const heading = useScrollHere("agreement", data !== undefined);
  // Of a task that ended early some are paid in part: none is shown as accepted, or as the current one.
  const accepted = agreed?.ended ? -1 : (agreed?.accepted ?? 0);
  useNewAttempt(proposalDraft(task._id, accepted), data !== undefined && !part.isFetching && !data.proposal);
  if (!agreed || (error instanceof ApiProblem && error.code === "no-agreement")) return null;
  const side = viewer?.role === "client" ? "client" : "freelancer";
  const current = data?.versions.at(-1);
  const mayChange = mayAct("change-agreement", side === "client" ? "client" : "hired", stateNow(task));
  return (
    <Section id="agreement" title="Agreement" ref={heading}>
      <PartFailure what="The agreement" part={part} />
      {!data && !part.hasFailed && <div className="skeleton h-24" aria-hidden="true" />}
      {data && current && (
        <>
          <TermsList terms={current} accepted={accepted} finalPrice={agreed.ended && agreed.amount} />
          {data.proposal && (
            <Proposal
              key={data.proposal._id}
              task={task}
              proposal={data.proposal}
              before={current}
              other={side === "client" ? data.freelancer : data.client}
              isOwn={data.proposal.by === side}
            />
          )}
          {data.versions.length > 1 && <Versions versions={data.versions} />}
          <div className="flex flex-wrap gap-3">
            {mayChange && !data.proposal && !task.otherSideLeft && (
              <DialogButton title="Propose a change" className="btn-outline">
                <ProposeForm taskId={task._id} terms={current} accepted={accepted} />
              </DialogButton>
            )}
            <DownloadButton
              path={`/tasks/${task._id}/agreement.pdf`}
              file={`tasklane-agreement-${task._id}.pdf`}
            >
              Download as PDF
            </DownloadButton>
          </div>
        </>
      )}
    </Section>
  );
}

type TermsProps = {
  terms: Terms;
  /** What the terms would replace: shown beside those that differ, and what of it would go is named. */
  before?: Terms;
  /** How many milestones were accepted. */
  accepted: number;
  /** The price at which the task ended early. */
  finalPrice?: number | undefined;
};

function TermsList(props: TermsProps) {
  const { terms, before, accepted, finalPrice = terms.amount } = props;
  const { amount, due, scope, milestones } = terms;
  return (
    <>
      <dl className="grid fit-columns gap-4">
        <Fact
          name="Price"
          note={
            before && before.amount !== amount
              ? `instead of ${formatUsd(before.amount)}`
              : finalPrice !== amount && `ended early at ${formatUsd(finalPrice)}`
          }
        >
          {formatUsd(amount)}
        </Fact>
        <Fact name="Date" note={before && before.due !== due && `instead of ${formatDate(before.due)}`}>
          <Day date={due} />
        </Fact>
      </dl>
      {/* In a list of its own, which keeps the columns above as wide as they can be. */}
      <dl className="grid grid-cols-1 gap-4 empty:hidden">
        {(scope || before?.scope) && (
          <Fact name="Changes to the scope">
            <span dir="auto" className="font-normal whitespace-pre-line">
              {scope || "None anymore"}
            </span>
          </Fact>
        )}
        {before?.milestones && !milestones && (
          <Fact name="Milestones">
            <span className="font-normal">None anymore</span>
          </Fact>
        )}
        {milestones && milestones.length > 0 && (
          <Fact name="Milestones">
            <span className="block font-normal">
              <MilestoneList milestones={milestones} accepted={accepted} />
            </span>
          </Fact>
        )}
      </dl>
    </>
  );
}

type ProposalProps = {
  task: Task;
  proposal: NonNullable<Agreement["proposal"]>;
  before: Terms;
  /** The other side's name. */
  other: string;
  isOwn: boolean;
};

function Proposal({ task: { _id: id, agreed }, proposal, before, other, isOwn }: ProposalProps) {
  const answer = async (call: Api["call"], accepted: boolean) => {
    const body = { proposalId: proposal._id, accepted };
    await call("PATCH /tasks/:id/agreement/proposal", { params: { id }, body });
    const done = isOwn ? "Your proposal is withdrawn." : "You have refused it.";
    notify.success(accepted ? "You have agreed on it." : done, {
      topic: proposalDraft(id, agreed?.accepted ?? 0),
    });
  };
  return (
    <div className="grid grid-cols-1 gap-4 rounded-field bg-base-200 p-4">
      <p className="wrap-anywhere">
        <strong className="font-semibold">
          {isOwn ? (
            "You propose a change"
          ) : (
            <>
              <bdi>{other}</bdi> proposes a change
            </>
          )}
        </strong>{" "}
        <When at={proposal.at} className="quiet inline-block text-sm" />
      </p>
      <TermsList terms={proposal} accepted={-1} before={before} />
      {proposal.note && (
        <p dir="auto" className="text-sm whitespace-pre-line wrap-anywhere">
          “{proposal.note}”
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <AnswerButtons what="change" isOwn={isOwn} answer={answer} />
        {isOwn && (
          <span className="quiet text-sm">
            <bdi>{other}</bdi> has yet to answer.
          </span>
        )}
      </div>
    </div>
  );
}

function Versions({ versions }: Pick<Agreement, "versions">) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer py-0.5 font-medium">All versions</summary>
      <ol className="mt-2 grid gap-2">
        {versions.toReversed().map(({ amount, due, by, at }, index) => (
          <li key={index}>
            {formatUsd(amount)}, {formatDate(due)}
            <span className="quiet">
              {by ? `, proposed by the ${by}` : ", with the award"}, <When at={at} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
