import type { Task } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatDate, formatTimeLeft, formatUsd, plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { Fact } from "../../../ui/fact.tsx";
import { Day, stateNow, useNow } from "../../../ui/now.tsx";
import { currentMilestone, isChangeProposed } from "../../agreements/milestones.tsx";
import { isUnpaid } from "../../payments/payment-details.tsx";
import type { OwnerActions } from "../owner-actions.tsx";

type Props = { task: Task; label: string; title: string; children: ReactNode };

/** Where a task stands for one of its two sides: its step and what was agreed, and what can be done next. */
export function StatusCard({ task, label, title, children }: Props) {
  const { agreed, budget, deadline, viewer } = task;
  const now = useNow();
  const state = stateNow(task, now);
  const isDone = state === "completed";
  const paysFirst = viewer?.isOwner ? isUnpaid(task) : agreed?.payment?.state === "paid";
  const milestone = isDone ? undefined : currentMilestone(task);
  const due = (milestone ?? agreed)?.due;
  // Delivered work has no time left to run out.
  const left = state === "awarded" && due && (formatTimeLeft(due, now) ?? "Overdue");
  const hired = viewer?.isOwner && !task.otherSideLeft ? viewer.contact : undefined;
  return (
    <section className="card card-body gap-4 shadow-card" aria-label={label}>
      <h2 className="text-lg font-semibold">{title}</h2>
      <Steps task={task} />
      {agreed && (
        <dl className="grid fit-columns gap-4">
          <Fact name="Agreed price" note={`Budget: ${formatUsd(budget)}`}>
            {formatUsd(agreed.amount)}
          </Fact>
          <Fact name="Agreed date" note={`Deadline: ${formatDate(deadline)}`}>
            <Day date={agreed.due} />
            {!milestone && left && <span className="quiet block text-sm font-normal">{left}</span>}
          </Fact>
        </dl>
      )}
      {milestone && (
        <p className="text-sm wrap-anywhere">
          <span className="quiet">
            Milestone {milestone.number} of {agreed?.milestones?.length}:
          </span>{" "}
          <bdi className="font-semibold">{milestone.name}</bdi>, {formatUsd(milestone.amount)} by{" "}
          <Day date={milestone.due} /> {left && <span className="quiet">({left})</span>}
        </p>
      )}
      {isChangeProposed(task) && (
        <Link to="#agreement" className="btn btn-primary">
          Look at the proposed change
        </Link>
      )}
      {children}
      {task.reviewDue && (
        // Beside the task, the review form is in view.
        <Link to="#review" className={`btn lg:hidden ${paysFirst ? "btn-outline" : "btn-primary"}`}>
          Write your review
        </Link>
      )}
      {isDone && hired && (
        // On their profile, they can be invited to another task.
        <Link to={paths.person(hired.id)} className="btn py-2 wrap-anywhere btn-outline">
          <span className="min-w-0">
            Hire <bdi>{hired.name}</bdi> again
          </span>
        </Link>
      )}
    </section>
  );
}

/** The way of a task from its posting to its end. A cancelled one has left it. */
function Steps({ task }: { task: Task }) {
  const state = stateNow(task, useNow());
  if (state === "cancelled") return null;
  const isSentBack = state === "awarded" && task.agreed?.sentBack === true;
  const steps = [
    { word: state === "expired" ? "Expired" : "Open", is: state === "open" || state === "expired" },
    { word: "Awarded", is: state === "awarded" && !isSentBack },
    { word: "Delivered", is: state === "delivered" },
    ...(isSentBack ? [{ word: "Changes", is: true }] : []),
    { word: "Done", is: state === "completed" },
  ];
  const current = steps.findIndex(({ is }) => is);
  return (
    // Words that do not fit beside each other wrap as a whole.
    <ol aria-label="Steps" className="flex flex-wrap gap-1 text-xs">
      {steps.map(({ word }, at) => (
        <li
          key={word}
          aria-current={at === current ? "step" : undefined}
          className={`flex-1 border-t-4 pt-1 whitespace-nowrap ${at <= current ? "border-primary" : "border-base-300"} ${at === current ? "font-semibold" : "quiet"}`}
        >
          {word}
        </li>
      ))}
    </ol>
  );
}

/** The fixed sentence with the number of bids, and what it means. */
export function BidCount({ task: { bidsCount } }: { task: Task }) {
  return (
    <>
      Your Bid for: <strong className="tabular-nums">{bidsCount}</strong> opportunities{" "}
      <span className="quiet block text-sm">
        {bidsCount === 0 ? "No bids so far" : `${plural(bidsCount, "bid")} so far`}
      </span>
    </>
  );
}

type ActionProps = { action: OwnerActions["actions"][number] | undefined; busy: boolean; isQuiet?: boolean };

/** A button for one of the owner's actions, if it is possible. */
export function ActionButton({ action, busy, isQuiet = false }: ActionProps) {
  return (
    action && (
      <BusyButton
        className={`btn ${isQuiet ? "btn-outline" : "btn-primary"}`}
        busy={busy}
        onClick={action.act}
      >
        {action.text}
      </BusyButton>
    )
  );
}
