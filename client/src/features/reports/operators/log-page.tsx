import {
  type JobKind,
  type OperatorAct,
  type OperatorActKind,
  REPORT_REASON_LABELS,
} from "@tasklane/server/contract";
import { ScrollText } from "lucide-react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { formatRelativeDay, formatTime } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { listQuery } from "../../../lib/queries.tsx";
import { useNow } from "../../../ui/now.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { JOB_TITLES } from "./jobs-page.tsx";
import { SuspendButton } from "./moderation-actions.tsx";
import { loadForOperator, OperatorList, PAGE_SIZE } from "./operators-layout.tsx";
import { PersonWithBadge } from "./subject-card.tsx";

/** The operators' actions, newest first. */
const logQuery = () => listQuery(["operators", "log"], PAGE_SIZE, "GET /operators/log", {});

export const loader = (args: LoaderFunctionArgs) => loadForOperator(args, logQuery);

/** The log of all operators' actions, with their reasons. */
export function Component() {
  useNow();
  return (
    <OperatorList
      title="Log"
      intro="What operators did and why. Entries cannot be changed."
      queryOf={logQuery}
      what="entries"
      hint="Earlier entries are kept."
      empty={
        <StatePanel icon={<ScrollText />} title="The log is empty">
          Everything that operators do is recorded here.
        </StatePanel>
      }
    >
      {(act) => <LogEntry key={act._id} act={act} />}
    </OperatorList>
  );
}

const TITLES: Record<OperatorActKind, string> = {
  "task-hidden": "Task hidden",
  "task-restored": "Task restored",
  "question-hidden": "Question hidden",
  "question-restored": "Question restored",
  "report-resolved": "Report resolved",
  "report-reopened": "Report reopened",
  "item-checked": "Queue entry checked",
  "item-reopened": "Back in the queue",
  "account-suspended": "Account suspended",
  "suspension-lifted": "Suspension lifted",
  "dispute-decided": "Dispute decided",
  "jobs-retried": "Failed jobs run again",
};

function LogEntry({ act: { kind, operator, person, task, reason, text, createdAt } }: { act: OperatorAct }) {
  const { id, name = "", suspended } = person ?? {};
  return (
    <li className="card card-body gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold">{TITLES[kind]}</h2>
        <p className="quiet text-sm wrap-anywhere">
          <bdi>{operator}</bdi>,{" "}
          <time dateTime={createdAt}>
            {formatRelativeDay(createdAt)}, {formatTime(createdAt)}
          </time>
        </p>
      </div>
      <p className="wrap-anywhere">
        {task && (
          <Link to={paths.dashTask(task.id)} dir="auto" className="link">
            {task.title}
          </Link>
        )}
        {task && name && " · "}
        <PersonWithBadge id={id} name={name} suspended={suspended} />
      </p>
      {(reason || text) && (
        <p className="quiet text-sm wrap-anywhere whitespace-pre-line">
          {reason && `${REPORT_REASON_LABELS[reason]}${text ? ": " : ""}`}
          <bdi>{kind === "jobs-retried" ? JOB_TITLES[text as JobKind] : text}</bdi>
        </p>
      )}
      {kind === "account-suspended" && id && suspended && (
        <div>
          <SuspendButton id={id} name={name} suspended reason={reason ?? "other"} />
        </div>
      )}
    </li>
  );
}
