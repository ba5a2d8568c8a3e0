import { Flag, ShieldX } from "lucide-react";
import { Link, useLoaderData } from "react-router-dom";
import { MOST_SHOWN } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { ListFull, StatePanel } from "../../../ui/state-panel.tsx";
import { ReportCard } from "./report-card.tsx";
import { type ReportsData, STEP } from "./reports-data.ts";

/** The operators' page: what people have reported, the open ones first. */
export function Component() {
  const data = useLoaderData<ReportsData>();
  return (
    <div className="space-y-6">
      <PageMeta title="Reports" />
      <PageHeading title="Reports">
        {data && "What people have reported. Hidden tasks are seen by their owner and operators only."}
      </PageHeading>
      {data ? <Reports data={data} /> : <NotForYou />}
    </div>
  );
}

function Reports({ data }: { data: NonNullable<ReportsData> }) {
  if (data.items.length === 0) {
    return (
      <StatePanel icon={<Flag className="size-7" />} title="No reports">
        Nobody has reported anything.
      </StatePanel>
    );
  }
  return (
    <>
      <ul className="grid grid-cols-1 gap-4">
        {data.items.map((report) => (
          <ReportCard key={report._id} report={report} />
        ))}
      </ul>
      {data.next && data.shown >= MOST_SHOWN && <ListFull hint="Resolve some of them to see others." />}
      {data.next && data.shown < MOST_SHOWN && (
        <div className="flex justify-center">
          <Link
            to={{ search: `?shown=${data.shown + STEP}` }}
            replace
            preventScrollReset
            className="btn btn-outline"
          >
            Load more reports
          </Link>
        </div>
      )}
    </>
  );
}

function NotForYou() {
  return (
    <StatePanel
      icon={<ShieldX className="size-7" />}
      title="Only operators see reports"
      action={
        <Link to={paths.dashboard} className="btn btn-primary">
          Dashboard
        </Link>
      }
    />
  );
}
