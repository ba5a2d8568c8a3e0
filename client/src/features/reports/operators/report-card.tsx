import type { Report } from "@tasklane/server/contract";
import { CircleCheck, CircleDashed, EyeOff } from "lucide-react";
import { Link, useFetcher } from "react-router-dom";
import { formatWhen } from "../../../lib/format.ts";
import { formErrorOf } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { REASONS } from "../report-queries.ts";
import type { OperatorResult } from "./reports-data.ts";

/** One report: what is reported, why, by whom, and what an operator can do about it. */
export function ReportCard({ report }: { report: Report }) {
  const { task, bid, reason, text, reporter, settled, createdAt } = report;
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
        {task?.hidden && (
          <span className="inline-flex items-center gap-1.5 font-semibold">
            <EyeOff aria-hidden="true" className="size-4" />
            Task hidden
          </span>
        )}
        <span className="quiet wrap-anywhere">
          <bdi>{reporter}</bdi>, <time dateTime={createdAt}>{formatWhen(createdAt)}</time>
        </span>
      </div>
      <div className="space-y-1.5">
        <h2 className="text-lg font-semibold wrap-anywhere">
          {REASONS[reason]}: {bid ? "a bid on " : ""}
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
          </p>
        )}
        {text && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text}
          </p>
        )}
        {bid?.message && (
          <blockquote
            dir="auto"
            className="quiet border-l-4 border-base-300 pl-4 wrap-anywhere whitespace-pre-line"
          >
            {bid.message}
          </blockquote>
        )}
      </div>
      <Actions report={report} />
    </li>
  );
}

function PersonLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to={paths.person(id)} dir="auto" className="link">
      {name}
    </Link>
  );
}

function Actions({ report: { _id, taskId, task, settled } }: { report: Report }) {
  const fetcher = useFetcher<OperatorResult>();
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
          className="btn btn-outline btn-sm"
          aria-disabled={busy || undefined}
          onClick={() => send({ report: _id, settled: String(!settled) })}
        >
          {settled ? "Reopen" : "Resolve"}
        </button>
        {task && (
          <button
            type="button"
            className={`btn btn-outline btn-sm ${task.hidden ? "" : "btn-error"}`}
            aria-disabled={busy || undefined}
            onClick={() => send({ task: taskId, hidden: String(!task.hidden) })}
          >
            {task.hidden ? "Restore task" : "Hide task"}
          </button>
        )}
      </div>
    </div>
  );
}
