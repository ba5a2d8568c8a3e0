import { BID_LIMITS, bidNoteSchema, mayAct, type ReceivedBid, type Task } from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { Link } from "react-router-dom";
import { formatDate, formatUsd, plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../ui/now.tsx";
import { TextForm } from "../../../ui/text-form.tsx";
import { compareOffer } from "../bid-parts.tsx";

/** The amount and the days to deliver, compared with budget and deadline. */
export function Offer({ bid, task, look }: { bid: ReceivedBid; task: Task; look: string }) {
  const { amount, days } = bid;
  const { above, price, due, late } = compareOffer(task, bid);
  const mayAward = mayAct("award", "client", stateNow(task));
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
          {days
            ? `in ${plural(days, "day")}`
            : `by ${formatDate(mayAward ? due : (task.deliverBy ?? task.deadline))}`}
        </dd>
        {late && mayAward && <dd className="text-sm text-warning">{late}</dd>}
      </div>
    </dl>
  );
}

/** The client's private note about a bid, which they can write, change and empty here. */
export function BidNote({ taskId, bid: { _id, name, note } }: { taskId: string; bid: ReceivedBid }) {
  return (
    <TextForm
      field="note"
      schema={bidNoteSchema}
      save={(body, call) => {
        const params = { id: taskId, bidId: _id };
        return call("PUT /tasks/:id/bids/:bidId/note", { params, body, isRepeatable: true });
      }}
      label="Private note"
      hint="Only you see it."
      limit={BID_LIMITS.note}
      isRequired={false}
      start={note}
      draft={`note.${_id}`}
      submit="Save note"
      busy="Saving…"
      closed={(open) => (
        <div className="flex flex-wrap items-start gap-x-2 text-sm">
          {note && (
            <p dir="auto" className="grow basis-40 border-s-2 ps-2 whitespace-pre-line wrap-anywhere">
              <Lock className="quiet me-1 inline size-3.5" />
              <span className="sr-only">Your private note: </span>
              {note}
            </p>
          )}
          <button
            type="button"
            className="btn -ml-3 btn-ghost btn-sm"
            aria-label={note ? `Edit note about ${name}` : `Add a private note about ${name}`}
            onClick={open}
          >
            {note ? "Edit note" : "Add a private note"}
          </button>
        </div>
      )}
    />
  );
}

/** Link to the next step with the hired freelancer: view the work, write a review, or contact them, if possible. */
export function NextStep({ task: { _id: id, reviewDue, ...task }, name }: { task: Task; name: string }) {
  const isDelivered = mayAct("request-changes", "client", stateNow(task));
  const to = isDelivered ? paths.delivery(id) : reviewDue ? paths.writeReview(id) : paths.dashTask(id);
  return (
    <Link to={to} className="btn btn-primary w-full">
      {isDelivered ? (
        "View work"
      ) : reviewDue ? (
        "Write a review"
      ) : task.otherSideLeft ? (
        "See the task"
      ) : (
        <span>
          Contact <bdi>{name}</bdi>
        </span>
      )}
    </Link>
  );
}
