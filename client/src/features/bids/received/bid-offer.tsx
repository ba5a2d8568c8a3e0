import { mayAct, type ReceivedBid, type Task, termsInWords } from "@tasklane/server/contract";
import { formatDate, formatUsd, plural } from "../../../lib/format.ts";
import { stateNow } from "../../../lib/state-now.ts";
import { compareOffer } from "../bid-parts.tsx";

/** The amount and the days to deliver, compared with budget and deadline. */
export function Offer({ bid, task, look }: { bid: ReceivedBid; task: Task; look: string }) {
  const { amount, days } = bid;
  const { above, price, due, late } = compareOffer(task, bid);
  return (
    <dl className={`flex flex-wrap items-baseline justify-between gap-x-4 rounded-field px-3 py-2 ${look}`}>
      <div>
        <dt className="sr-only">Amount</dt>
        <dd className="text-xl font-semibold wrap-anywhere tabular-nums">{formatUsd(amount)}</dd>
        <dd className={`text-sm ${above < 0 ? "text-success" : above > 0 ? "text-warning" : "quiet"}`}>
          {price || "Your budget"}
        </dd>
      </div>
      <div>
        <dt className="sr-only">Delivery</dt>
        <dd className="font-medium tabular-nums">
          {days ? `in ${plural(days, "day")}` : `by ${formatDate(due)}`}
        </dd>
        {late && mayAct("award", "client", stateNow(task)) && (
          <dd className="text-sm text-warning">{late}</dd>
        )}
      </div>
    </dl>
  );
}

/** The confirmation before an award: to whom, for how much, and until when. */
export function awardPrompt(task: Task, bid: ReceivedBid) {
  const { name, amount } = bid;
  const { above, price, isFarAbove, due, late } = compareOffer(task, bid);
  const warnings = [above > 0 && price, late].filter(Boolean).join(" and ");
  return {
    title: `Award this task to ${name}?`,
    text: `${name} does “${task.title}” for ${formatUsd(amount)}, due on ${formatDate(due)}.${warnings && ` That is ${warnings}.`} The other bidders will be notified that they were not chosen, and the task’s ${termsInWords()} can no longer be changed.`,
    yes: `Award for ${formatUsd(amount)}`,
    no: "Not yet",
    tone: isFarAbove || late ? "danger" : "primary",
  } as const;
}
