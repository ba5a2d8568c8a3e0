import {
  type BidState,
  DECLINE_PAUSE_MS,
  mayAct,
  type ReceivedBid,
  type Task,
  termsInWords,
} from "@tasklane/server/contract";
import { UserX } from "lucide-react";
import type { ReactNode } from "react";
import { serverTime } from "../../../lib/clock.ts";
import { formatDate, formatUsd, plural } from "../../../lib/format.ts";
import type { FormError } from "../../../lib/forms.ts";
import { useAction } from "../../../lib/submission.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { confirm, showSuccess } from "../../../ui/confirm.ts";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { stateNow, When } from "../../../ui/now.tsx";
import { Avatar, PersonLink } from "../../../ui/person.tsx";
import { SkillList } from "../../../ui/skill-list.tsx";
import { Rating } from "../../../ui/stars.tsx";
import { ClampedText } from "../../../ui/user-text.tsx";
import { MessageButton } from "../../conversations/message-button.tsx";
import { AttachedFiles, useFilesOn } from "../../files/file-list.tsx";
import { ReportButton } from "../../reports/report-button.tsx";
import { BidStateBadge, compareOffer, ScreeningAnswer, SentToBadge } from "../bid-parts.tsx";
import { BidNote, NextStep, Offer } from "./received-bid-parts.tsx";

type Props = {
  task: Task;
  bid: ReceivedBid;
  /** Chooses the bid for a comparison. */
  comparison?: ReactNode;
};

/** One received bid. Shortlisting and declining show immediately, and are rolled back if the server refuses. */
export function ReceivedBidItem({ task, bid, comparison }: Props) {
  const { _id: bidId, updatedAt } = bid;
  const decision = useAction<unknown, { to: BidState; updatedAt: string }>((call, { to, updatedAt }) => {
    if (to === "awarded") {
      const body = { bidId, updatedAt };
      return call("POST /tasks/:id/award", { params: { id: task._id }, body, isRepeatable: true });
    }
    const params = { id: task._id, bidId };
    return call("PATCH /tasks/:id/bids/:bidId", { params, body: { state: to }, isRepeatable: true });
  });
  const { busy, error } = decision;
  const requested = busy ? decision.input?.to : undefined;
  // An award is not shown optimistically.
  const state = requested && requested !== "awarded" ? requested : bid.state;

  const change = async (to: BidState) => {
    if (busy || (to === "awarded" && !(await confirm(awardPrompt(task, bid))))) return;
    // The terms that were confirmed: the bid may have been changed since.
    const { ok } = await decision.send({ to, updatedAt });
    if (ok && to === "awarded")
      void showSuccess("Task awarded", `You and ${bid.name} now see each other's email on the task's page.`);
  };

  const now = stateNow(task);
  const button = (to: BidState, text: string, spoken: string, look: string) => (
    <BusyButton
      className={`btn max-sm:[--size:2.75rem] px-2 ${to === "placed" ? "text-xs" : ""} ${look}`}
      aria-label={text + spoken}
      busy={busy}
      onClick={() => change(to)}
    >
      {text}
    </BusyButton>
  );

  return (
    // Subgrid: all cards share their rows, so that amounts, messages and buttons line up across neighbours.
    <li className={`card row-span-4 grid grid-rows-subgrid gap-3 p-3 sm:p-4 ${CARD_STYLES[state]}`}>
      <div className="flex items-center gap-3">
        <Avatar name={bid.name} src={bid.image} />
        <div data-focus-home className="min-w-0">
          <PersonLink id={bid.freelancerId} name={bid.name} className="font-semibold wrap-anywhere" />
          {bid.headline && (
            <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere">
              {bid.headline}
            </p>
          )}
          <p className="quiet text-sm">
            <Rating {...bid.rating} />
            {bid.jobsCompleted > 0 && ` · ${plural(bid.jobsCompleted, "job")} done`}
          </p>
        </div>
      </div>
      <Offer bid={bid} task={task} look={state === "declined" ? "bg-base-100" : "bg-base-200"} />
      <div className="min-w-0 space-y-3">
        <ScreeningAnswer bid={bid} />
        {bid.message ? <ClampedText text={bid.message} /> : <p className="quiet text-sm">No message</p>}
        <AttachedFiles files={useFilesOn(task, bid._id)} />
        <SentToBadge count={bid.sentTo} />
        {bid.skills && <SkillList skills={bid.skills} />}
        <BidNote taskId={task._id} bid={bid} />
      </div>
      <div className="space-y-2 self-end">
        <FormAlert error={error}>{error && refusalText(error)}</FormAlert>
        {bid.suspended && (
          <p className="inline-flex items-center gap-1.5 text-sm font-semibold text-error">
            <UserX className="size-4 shrink-0" />
            This account is suspended
            {mayAct("award", "client", now) ? ": the bid cannot be awarded now." : "."}
          </p>
        )}
        {state === "awarded" && <NextStep task={task} name={bid.name} />}
        <div className="flex flex-wrap gap-2 empty:hidden">
          {mayAct("award", "client", now) &&
            !bid.suspended &&
            button(
              "awarded",
              requested === "awarded" ? "Awarding…" : "Award",
              ` to ${bid.name}`,
              `btn-primary grow basis-16 ${state === "shortlisted" ? "" : "btn-outline"}`,
            )}
          {mayAct("triage-bid", "client", now) && (
            <>
              {state === "shortlisted"
                ? button("placed", "Remove from shortlist", `: ${bid.name}`, "btn-outline w-24")
                : button("shortlisted", "Shortlist", ` ${bid.name}`, "btn-outline w-24")}
              {state === "declined"
                ? button("placed", "Undo decline", ` of ${bid.name}`, "btn-outline w-18")
                : button("declined", "Decline", ` ${bid.name}`, "btn-ghost w-18")}
            </>
          )}
        </div>
        {state === "declined" &&
          bid.declinedAt &&
          mayAct("triage-bid", "client", now) &&
          serverTime().getTime() < Date.parse(bid.declinedAt) + DECLINE_PAUSE_MS && (
            <p className="quiet text-sm">
              <bdi>{bid.name}</bdi> is notified in a minute, unless you undo this.
            </p>
          )}
        {comparison}
        <div className="quiet flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
          <p>
            <span role="status">{state === "placed" ? "Placed" : <BidStateBadge state={state} />}</span>{" "}
            {state !== "placed" && "placed "}
            <When at={bid.createdAt} />
            {bid.updatedAt !== bid.createdAt && ", edited"}
            {bid.declinedAt && bid.updatedAt > bid.declinedAt && " since you declined it"}
          </p>
          <div className="flex flex-wrap items-center">
            <MessageButton taskId={task._id} bid={bid} className="btn btn-outline btn-sm" />
            <ReportButton taskId={task._id} bidId={bid._id} title={`Report ${bid.name}’s bid`} />
          </div>
        </div>
      </div>
    </li>
  );
}

const CARD_STYLES: Record<BidState, string> = {
  placed: "",
  shortlisted: "border-info",
  declined: "bg-base-200",
  awarded: "border-success",
};

/** Adds "Nothing was changed" where that is certain: after a refusal, but not if the bid itself was changed. */
function refusalText({ code, message, stale }: FormError): string {
  return stale && code !== "changed-meanwhile" ? `${message} Nothing was changed.` : message;
}

/** The confirmation before an award: to whom, for how much, and until when. */
function awardPrompt(task: Task, bid: ReceivedBid) {
  const { name, amount } = bid;
  const { above, price, isFarAbove, due, late } = compareOffer(task, bid);
  const warnings = [above > 0 && price, late].filter(Boolean).join(" and ");
  const fixed = `task’s ${termsInWords()} can no longer be changed.`;
  return {
    title: `Award this task to ${name}?`,
    text: `${name} does “${task.title}” for ${formatUsd(amount)}, due on ${formatDate(due)}.${warnings && ` That is ${warnings}.`} ${task.bidsCount > 1 ? "The other bidders will be notified that they were not chosen, and the" : "The"} ${fixed}`,
    yes: `Award for ${formatUsd(amount)}`,
    no: "Not yet",
    tone: isFarAbove || late ? "danger" : "primary",
  } as const;
}
