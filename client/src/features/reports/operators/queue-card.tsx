import type { QueueItem } from "@tasklane/server/contract";
import { ClampedText } from "../../../ui/clamped-text.tsx";
import { CardActions, CardHeading, CardPeople, CardState, Quote } from "./card-parts.tsx";
import { SubjectActs } from "./subject-acts.tsx";

const WHY = { "first-task": "New client", "contact-data": "Contact data" } as const;

/** One entry of the queue: what is to be looked at and why, and what an operator can do about it. */
export function QueueCard({ item }: { item: QueueItem }) {
  const { _id, kind, note, task, bid, settled } = item;
  const heading = `about-${_id}`;
  return (
    // So that its buttons, which are called as those of every other card, are heard with what they are about.
    <li className="card card-body gap-4" aria-labelledby={heading}>
      <CardState {...item} done="Looked at" />
      <div className="space-y-1.5">
        <CardHeading id={heading} {...item} why={WHY[kind]} />
        <CardPeople {...item} />
        {note && <p className="wrap-anywhere">Found: {note}.</p>}
        {task && !bid && <ClampedText text={task.description} />}
        {[bid ? undefined : task?.screeningQuestion, bid?.message, bid?.answer].map(
          (said) => said && <Quote key={said} text={said} />,
        )}
      </div>
      <CardActions act="settle-item" id={_id} settled={settled} texts={["Looked at", "Back to the queue"]}>
        <SubjectActs subject={item} reason="spam" />
      </CardActions>
    </li>
  );
}
