import { REPORT_REASON_LABELS, type Report } from "@tasklane/server/contract";
import { CircleCheck, Flag } from "lucide-react";
import { Link, type LoaderFunctionArgs, useSearchParams } from "react-router-dom";
import { listQuery } from "../../../lib/queries.tsx";
import { When } from "../../../ui/now.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { AttachedFiles } from "../../files/file-list.tsx";
import { REASON_OPTIONS } from "../report-button.tsx";
import {
  type Filter,
  loadForOperator,
  OperatorList,
  PAGE_SIZE,
  readFilters,
  STATE,
} from "./operators-layout.tsx";
import { Quotes, SubjectCard } from "./subject-card.tsx";

const FILTERS: readonly Filter[] = [
  STATE,
  { name: "reason", label: "Reason", options: [["", "All reasons"], ...REASON_OPTIONS] },
];

const reportsQuery = (params: URLSearchParams) => {
  const filters = readFilters(params, FILTERS);
  return listQuery(["reports", filters], PAGE_SIZE, "GET /reports", { query: filters });
};

export const loader = (args: LoaderFunctionArgs) => loadForOperator(args, reportsQuery);

/** Reports from users, filtered by state and reason. */
export function Component() {
  return (
    <OperatorList
      title="Reports"
      intro="What people have reported. The public does not see hidden tasks."
      queryOf={reportsQuery}
      what="reports"
      hint="Resolve some to see more."
      filters={FILTERS}
      empty={<NoReports />}
    >
      {(report) => <ReportCard key={report._id} report={report} />}
    </OperatorList>
  );
}

function NoReports() {
  const { state, reason } = readFilters(useSearchParams()[0], FILTERS);
  if (state === "open" && !reason) {
    return (
      <StatePanel
        icon={<CircleCheck />}
        title="No open reports"
        action={
          <Link to={{ search: "?state=resolved" }} className="btn btn-outline">
            See resolved reports
          </Link>
        }
      >
        All reports have been resolved.
      </StatePanel>
    );
  }
  return (
    <StatePanel icon={<Flag />} title="No matching reports">
      {reason || state ? "Nothing matches these filters." : "Nothing has been reported yet."}
    </StatePanel>
  );
}

/** One report: what is reported, why, by whom, and what an operator can do about it. */
function ReportCard({ report }: { report: Report }) {
  const { bid, question, conversation, reason, text, reporter } = report;
  return (
    <SubjectCard
      kind="report"
      subject={report}
      why={REPORT_REASON_LABELS[reason]}
      reporter={reporter}
      reason={reason}
    >
      {text && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line">
          {text}
        </p>
      )}
      <Quotes texts={[bid?.message, bid?.answer, question?.text, question?.answer]} />
      {conversation && <Messages messages={conversation.messages} />}
    </SubjectCard>
  );
}

/** The conversation's last messages before the report, with their files. */
function Messages({ messages }: Pick<NonNullable<Report["conversation"]>, "messages">) {
  return (
    <ol className="space-y-2 border-s-4 border-base-300 ps-4 text-sm">
      {messages.map(({ name, text, files, createdAt }) => (
        <li key={createdAt + text}>
          <p className="quiet wrap-anywhere">
            <bdi>{name}</bdi>, <When at={createdAt} />
          </p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text ?? "Deleted with its author’s account"}
          </p>
          <AttachedFiles files={files} />
        </li>
      ))}
    </ol>
  );
}
