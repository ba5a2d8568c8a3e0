import { REPORT_REASON_WORDS, type Report } from "@tasklane/server/contract";
import { formatWhen } from "../../../lib/format.ts";
import { CardActions, CardHeading, CardPeople, CardState, Quote } from "./card-parts.tsx";
import { SubjectActs } from "./subject-acts.tsx";

/** One report: what is reported, why, by whom, and what an operator can do about it. */
export function ReportCard({ report }: { report: Report }) {
  const { _id, bid, question, conversation, reason, text, reporter, settled } = report;
  const heading = `about-${_id}`;
  return (
    // So that its buttons, which are called as those of every other card, are heard with what they are about.
    <li className="card card-body gap-4" aria-labelledby={heading}>
      <CardState {...report} done="Resolved" by={reporter} />
      <div className="space-y-1.5">
        <CardHeading id={heading} {...report} why={REPORT_REASON_WORDS[reason]} />
        <CardPeople {...report} />
        {text && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text}
          </p>
        )}
        {[bid?.message, bid?.answer, question?.text, question?.answer].map(
          (said) => said && <Quote key={said} text={said} />,
        )}
        {conversation && <Messages messages={conversation.messages} />}
      </div>
      <CardActions act="settle-report" id={_id} settled={settled} texts={["Resolve", "Reopen"]}>
        <SubjectActs subject={report} reason={reason} />
      </CardActions>
    </li>
  );
}

/** The last messages before the report, so that an operator can judge it. */
function Messages({ messages }: Pick<NonNullable<Report["conversation"]>, "messages">) {
  return (
    <ol className="space-y-2 border-l-4 border-base-300 pl-4 text-sm">
      {messages.map(({ name, text, createdAt }) => (
        <li key={createdAt + text}>
          <p className="quiet wrap-anywhere">
            <bdi>{name}</bdi>, <time dateTime={createdAt}>{formatWhen(createdAt)}</time>
          </p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text ?? "Deleted with its author’s account"}
          </p>
        </li>
      ))}
    </ol>
  );
}
