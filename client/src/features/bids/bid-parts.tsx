import { type Bid, type BidState, dueIfHired, MAX_SENT_TO, type Task } from "@tasklane/server/contract";
import { BadgeCheck, CircleMinus, Copy, Send, Star } from "lucide-react";
import type { ReactNode } from "react";
import type { Api } from "../../lib/api.ts";
import { formatUsd, plural, today } from "../../lib/format.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { ClampedText } from "../../ui/user-text.tsx";

const BADGES: Record<BidState, { word: string; tone: Tone; icon: ReactNode }> = {
  placed: { word: "Placed", tone: "quiet", icon: <Send /> },
  shortlisted: { word: "Shortlisted", tone: "notable", icon: <Star /> },
  declined: { word: "Declined", tone: "bad", icon: <CircleMinus /> },
  awarded: { word: "Awarded", tone: "good", icon: <BadgeCheck /> },
};

/** The display name of a bid's state. */
export const bidStateWord = (state: BidState): string => BADGES[state].word;

/** A badge with the state of a bid. */
export function BidStateBadge({ state }: { state: BidState }) {
  const { word, ...look } = BADGES[state];
  return <StateBadge {...look}>{word}</StateBadge>;
}

/** "Sent to 14 other tasks": marks a message that is nearly the same as earlier ones by the same freelancer. */
export function SentToBadge({ count }: { count: number | undefined }) {
  if (!count) return null;
  return (
    <p>
      <StateBadge tone="quiet" icon={<Copy />} wraps>
        <span>
          <span className="sr-only">Nearly the same message: </span>
          {count >= MAX_SENT_TO
            ? `Sent to ${MAX_SENT_TO} or more other tasks`
            : `Sent to ${plural(count, "other task")}`}
        </span>
      </StateBadge>
    </p>
  );
}

/** The screening question and the bid's answer; renders nothing if there is none. */
export function ScreeningAnswer({ bid: { question, answer } }: { bid: Pick<Bid, "question" | "answer"> }) {
  if (!question || !answer) return null;
  return (
    <dl className="space-y-1 text-sm">
      <dt dir="auto" className="quiet wrap-anywhere">
        {question}
      </dt>
      <dd>
        <ClampedText text={answer} />
      </dd>
    </dl>
  );
}

/** From here on, as a share of the budget, a price is so high that it may be a mistake. */
const FAR_ABOVE = 1.5;
const DAY_MS = 86_400_000;

/** Compares an offer, if awarded now, with the task's budget and with the day on which the work is due. */
export function compareOffer(
  task: Pick<Task, "budget" | "deadline" | "deliverBy">,
  { amount, days }: Pick<Bid, "amount" | "days">,
) {
  const { budget, deadline, deliverBy = deadline } = task;
  const due = dueIfHired(task, days || undefined, today());
  const above = Math.round((amount - budget) * 100) / 100;
  const daysLate = (Date.parse(due) - Date.parse(deliverBy)) / DAY_MS;
  return {
    /** In USD; negative if it is below the budget. */
    above,
    price: above && `${formatUsd(Math.abs(above))} ${above < 0 ? "under" : "over"} budget`,
    isFarAbove: amount > budget * FAR_ABOVE,
    due,
    late:
      daysLate > 0 &&
      `${plural(daysLate, "day")} after the ${deliverBy === deadline ? "deadline" : "delivery date"}`,
  };
}

/** The confirmation before a bid is withdrawn. */
export const WITHDRAWAL = {
  title: "Withdraw your bid?",
  text: "The client will no longer see it. You can bid again as long as the task is open.",
  yes: "Yes, withdraw it",
};

/** Withdraws the viewer's bid on a task. */
export async function withdrawBid(call: Api["call"], id: string): Promise<void> {
  try {
    await call("DELETE /tasks/:id/bid", { params: { id }, isRepeatable: true });
  } catch (error) {
    // A hidden or deleted task is found only by those with a bid: an attempt whose response was lost has withdrawn it.
    if (!(error instanceof ApiProblem && error.code === "task-not-found")) throw error;
  }
}
