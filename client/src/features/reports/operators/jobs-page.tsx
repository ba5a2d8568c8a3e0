import { useQuery } from "@tanstack/react-query";
import type { JobKind, JobSummary } from "@tasklane/server/contract";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { LoaderFunctionArgs } from "react-router-dom";
import { endpointQuery, loadQuery, meQuery } from "../../../lib/queries.tsx";
import { notify } from "../../../ui/notify.tsx";
import { useNow, When } from "../../../ui/now.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { SendButton } from "../../../ui/send-button.tsx";

/** What is done later, by kind. */
const jobsQuery = endpointQuery(["operators", "jobs"], "GET /operators/jobs", {});

/** Nothing for users who are not operators. */
export async function loader(args: LoaderFunctionArgs) {
  const { isOperator } = await loadQuery(args, meQuery);
  return isOperator ? loadQuery(args, jobsQuery) : null;
}

const REFRESH_MS = 10_000;

export const JOB_TITLES: Record<JobKind, string> = {
  announcement: "Notifications of decisions to bidders and watchers",
  "search-alerts": "Notifications of new tasks for saved searches",
  "declined-bid": "Notifications of declined bids",
  "review-shown": "Reviews that were not returned",
  "payment-reminder": "Reminders of payments",
  "dispute-step": "Unanswered proposals to end a task, and decisions of disputes",
  "file-check": "Checks of uploaded files",
  "unread-messages": "Notifications of unread messages",
  "delivery-reminder": "Reminders of delivered work",
  emails: "Emails",
  deadlines: "Notifications of near deadlines",
  "undecided-tasks": "Reminders of undecided bids, and closing of undecided tasks",
  deletions: "Deletions of accounts",
  "unused-files": "Deletion of files that nothing uses",
  suspensions: "Suspensions of accounts",
};

/** What the product does in the background, and what of it failed. */
export function Component() {
  const { data = [] } = useQuery({ ...jobsQuery, refetchInterval: REFRESH_MS });
  useNow();
  return (
    <div className="space-y-6">
      <PageHeading title="Jobs">
        What is done in the background. A job that fails is tried again with growing pauses; one that failed
        ten times waits here.
      </PageHeading>
      <ul className="grid grid-cols-1 gap-4">
        {data.map((job) => (
          <JobCard key={job.kind} job={job} />
        ))}
      </ul>
    </div>
  );
}

function JobCard({ job: { kind, lastRunAt, waiting, due, failed, error, failedAt } }: { job: JobSummary }) {
  const Icon = failed > 0 ? TriangleAlert : CircleCheck;
  return (
    <li className="card card-body gap-2" aria-labelledby={`job-${kind}`}>
      <h2 id={`job-${kind}`} className="flex items-start gap-2 font-semibold">
        <Icon
          aria-hidden="true"
          className={`mt-0.5 size-5 shrink-0 ${failed > 0 ? "text-warning" : "text-success"}`}
        />
        <span className="min-w-0 wrap-anywhere">{JOB_TITLES[kind]}</span>
      </h2>
      <p className="quiet text-sm">
        {waiting} waiting, {due} due now, {failed} failed
        {lastRunAt && (
          <>
            {" · "}last run <When at={lastRunAt} />
          </>
        )}
      </p>
      {failedAt && (
        <>
          <p className="text-sm wrap-anywhere">
            <When at={failedAt} />: <bdi>{error}</bdi>
          </p>
          <div>
            <SendButton
              className="h-auto max-w-full btn-outline py-1.5 whitespace-normal btn-sm"
              send={async (call) => {
                await call("PATCH /operators/jobs", { body: { kind }, isRepeatable: true });
                notify.success("They will run again.", { topic: "operator" });
              }}
            >
              Run failed ones again
            </SendButton>
          </div>
        </>
      )}
    </li>
  );
}
