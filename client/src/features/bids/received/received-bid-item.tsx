import { BID_STATES, type BidState, mayAct, type ReceivedBid, type Task } from "@tasklane/server/contract";
import { type ReactNode, useEffect } from "react";
import { Link, useFetcher } from "react-router-dom";
import { formatUsd, formatWhen, plural } from "../../../lib/format.ts";
import { formErrorOf } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../lib/task-state.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { ClampedText } from "../../../ui/clamped-text.tsx";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { confirm, showSuccess } from "../../../ui/popup.ts";
import { BidStateMark } from "../bid-state-mark.tsx";
import type { TriageResult } from "./received-bids-data.ts";

/** One received bid. Its shortlisting shows at once, and goes back with a message if the server refuses. */
export function ReceivedBidItem({ task, bid, extra }: { task: Task; bid: ReceivedBid; extra: ReactNode }) {
  const fetcher = useFetcher<TriageResult>();
  const { data: result, formData } = fetcher;
  const wanted = BID_STATES.find((state) => state === formData?.get("state"));
  // Hiring is not shown before it is certain.
  const state = wanted && wanted !== "awarded" ? wanted : bid.state;
  const error = formErrorOf(fetcher);

  useEffect(() => {
    if (result?.ok && result.did === "awarded")
      void showSuccess("Task awarded", `You and ${bid.name} now see each other's email on the task's page.`);
  }, [result, bid.name]);

  const sort = (to: BidState) =>
    fetcher.submit(
      { bidId: bid._id, state: to },
      { method: "post", action: paths.receivedBidsAction(task._id) },
    );

  const change = async (to: BidState) => {
    if (fetcher.state !== "idle") return;
    if (to !== "awarded" || (await confirm(awarding(task, bid)))) await sort(to);
  };

  return (
    <li className="space-y-3 py-4 first:pt-0">
      <div className="flex flex-wrap items-start gap-3">
        <Avatar name={bid.name} src={bid.image} />
        <div className="min-w-0 grow basis-24">
          <Link
            to={paths.person(bid.freelancerId)}
            dir="auto"
            className="link font-semibold wrap-anywhere link-hover"
          >
            {bid.name}
          </Link>
          <p className="quiet text-sm">
            <time dateTime={bid.createdAt}>{formatWhen(bid.createdAt)}</time>
            {bid.updatedAt !== bid.createdAt && ", edited"}
          </p>
        </div>
        <div className="shrink-0 space-y-1 text-right">
          <p className="text-lg font-semibold tabular-nums">{formatUsd(bid.amount)}</p>
          <p className="quiet text-sm">{bid.days ? `in ${plural(bid.days, "day")}` : "by the deadline"}</p>
        </div>
      </div>
      {bid.message && <ClampedText text={bid.message} />}
      <FormAlert error={error}>{error && `${error.message} Nothing was changed.`}</FormAlert>
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="mr-auto">
          <BidStateMark state={state} />
        </span>
        {extra}
        {state === "awarded" && (
          <Link to={paths.dashTask(task._id)} className="btn btn-sm btn-primary">
            Contact <bdi>{bid.name}</bdi>
          </Link>
        )}
        <TriageButtons
          task={task}
          name={bid.name}
          state={state}
          busy={fetcher.state !== "idle"}
          awarding={wanted === "awarded"}
          onChange={(to) => void change(to)}
        />
      </div>
    </li>
  );
}

/** Who gets the task and for how much, before it is so. */
function awarding({ title }: Task, { name, amount, days }: ReceivedBid) {
  const offer = `${formatUsd(amount)}${days ? ` in ${plural(days, "day")}` : ""}`;
  return {
    title: `Award this task to ${name}?`,
    text: `${name} does “${title}” for ${offer}. The other bidders are told that they were not chosen, and title, description and budget are fixed from then on.`,
    yes: `Award for ${formatUsd(amount)}`,
    no: "Not yet",
    tone: "onward",
  } as const;
}

type TriageProps = {
  task: Task;
  /** Whose bid it is, for those who do not see the row. */
  name: string;
  state: BidState;
  busy: boolean;
  awarding: boolean;
  onChange: (to: BidState) => void;
};

/** Shortlist, Decline and Award, as the task's state allows; the first two can be taken back. */
function TriageButtons({ task, name, state, busy, awarding, onChange }: TriageProps) {
  const now = stateNow(task);
  const button = (to: BidState, text: string, spoken: string, look: string) => (
    <button
      type="button"
      className={`btn btn-sm ${look}`}
      aria-label={text + spoken}
      aria-disabled={busy || undefined}
      onClick={() => onChange(to)}
    >
      {text}
    </button>
  );
  return (
    <>
      {mayAct("sort-bid", "client", now) && (
        <>
          {state === "shortlisted"
            ? button("placed", "Remove from shortlist", `: ${name}`, "btn-outline")
            : button("shortlisted", "Shortlist", ` ${name}`, "btn-outline")}
          {state === "declined"
            ? button("placed", "Undo decline", ` of ${name}`, "btn-outline")
            : button("declined", "Decline", ` ${name}`, "btn-ghost")}
        </>
      )}
      {mayAct("award", "client", now) &&
        button("awarded", awarding ? "Awarding…" : "Award", ` to ${name}`, "btn-primary")}
    </>
  );
}
