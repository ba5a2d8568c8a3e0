import { REPORT_REASON_WORDS, type Report } from "@tasklane/server/contract";
import { CircleCheck, CircleDashed, EyeOff } from "lucide-react";
import { Link, useFetcher } from "react-router-dom";
import { formatWhen } from "../../../lib/format.ts";
import { type FormResult, formErrorOf } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { HideQuestionButton, HideTaskButton } from "./hide-task.tsx";

/** One report: what is reported, why, by whom, and what an operator can do about it. */
export function ReportCard({ report }: { report: Report }) {
  const { task, bid, question, conversation, reason, text, reporter, settled, createdAt } = report;
  return (
    <li className="card card-body gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <span
          className={`inline-flex items-center gap-1.5 font-semibold ${settled ? "text-success" : "text-warning"}`}
        >
          {settled ? (
            <CircleCheck aria-hidden="true" className="size-4" />
          ) : (
            <CircleDashed aria-hidden="true" className="size-4" />
          )}
          {settled ? "Resolved" : "Open"}
        </span>
        {task?.hidden && <Hidden>Task hidden</Hidden>}
        {question?.hidden && <Hidden>Question hidden</Hidden>}
        <span className="quiet wrap-anywhere">
          <bdi>{reporter}</bdi>, <time dateTime={createdAt}>{formatWhen(createdAt)}</time>
        </span>
      </div>
      <div className="space-y-1.5">
        <h2 className="text-lg font-semibold wrap-anywhere">
          {REPORT_REASON_WORDS[reason]}:{" "}
          {bid ? "a bid on " : question ? "a question on " : conversation ? "messages about " : ""}
          {task ? (
            <Link to={paths.dashTask(report.taskId)} dir="auto" className="link">
              {task.title}
            </Link>
          ) : (
            "a task that is deleted"
          )}
        </h2>
        {task && (
          <p className="quiet text-sm wrap-anywhere">
            Task by <PersonLink id={task.clientId} name={task.name} />
            {bid && (
              <>
                , bid by <PersonLink id={bid.freelancerId} name={bid.name} />
              </>
            )}
            {question && (
              <>
                , asked by <PersonLink {...question.asker} />
              </>
            )}
          </p>
        )}
        {conversation && (
          <p className="quiet text-sm wrap-anywhere">
            Conversation with{" "}
            {conversation.personId ? (
              <PersonLink id={conversation.personId} name={conversation.name} />
            ) : (
              conversation.name
            )}
          </p>
        )}
        {text && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text}
          </p>
        )}
        {[bid?.message, question?.text, question?.answer].map(
          (said) =>
            said && (
              <blockquote
                key={said}
                dir="auto"
                className="quiet border-l-4 border-base-300 pl-4 wrap-anywhere whitespace-pre-line"
              >
                {said}
              </blockquote>
            ),
        )}
        {conversation && <Messages messages={conversation.messages} />}
      </div>
      <Actions report={report} />
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

function Hidden({ children }: { children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 font-semibold">
      <EyeOff aria-hidden="true" className="size-4" />
      {children}
    </span>
  );
}

function PersonLink({ id, name }: { id?: string | undefined; name: string }) {
  if (!id) return <bdi>{name}</bdi>;
  return (
    <Link to={paths.person(id)} dir="auto" className="link">
      {name}
    </Link>
  );
}

function Actions({ report }: { report: Report }) {
  const { _id, taskId, task, question, reason, settled } = report;
  const fetcher = useFetcher<FormResult>();
  const busy = fetcher.state !== "idle";
  const send = (change: Record<string, string>) => {
    if (!busy) void fetcher.submit(change, { method: "post" });
  };
  return (
    <div className="space-y-3">
      <FormAlert error={formErrorOf(fetcher)} />
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className={`btn btn-sm ${settled ? "btn-outline" : "btn-primary"}`}
          aria-disabled={busy || undefined}
          onClick={() => send({ act: settled ? "reopen" : "resolve", report: _id })}
        >
          {settled ? "Reopen" : "Resolve"}
        </button>
        {task && !task.hidden && <HideTaskButton taskId={taskId} task={task} reason={reason} />}
        {task?.hidden && (
          <button
            type="button"
            className="btn btn-outline btn-sm"
            aria-disabled={busy || undefined}
            onClick={() => send({ act: "restore", task: taskId })}
          >
            Restore task
          </button>
        )}
        {question && !question.hidden && (
          <HideQuestionButton taskId={taskId} question={question} reason={reason} />
        )}
        {question?.hidden && (
          <button
            type="button"
            className="btn btn-outline btn-sm"
            aria-disabled={busy || undefined}
            onClick={() => send({ act: "restore", task: taskId, question: question._id })}
          >
            Restore question
          </button>
        )}
      </div>
    </div>
  );
}
