import type { Me } from "@tasklane/server/contract";
import { ShieldX } from "lucide-react";
import { type LoaderFunctionArgs, NavLink, Outlet } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { loadQuery, meQuery, useLoadedQuery } from "../../../lib/queries.tsx";
import { CountBadge } from "../../../ui/count-badge.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";

const TABS = [
  { to: paths.reports, text: "Reports", open: ({ openReports }: Me) => openReports },
  { to: paths.operatorQueue, text: "Queue", open: ({ openItems }: Me) => openItems },
  { to: paths.operatorLog, text: "Log" },
  { to: paths.operatorJobs, text: "Jobs" },
];

/** Loads whether the user is an operator, and how much is open. */
export const loader = (args: LoaderFunctionArgs) => loadQuery(args, meQuery);

/** The tabs of the operators' pages. */
export function Component() {
  const me = useLoadedQuery(meQuery);
  if (!me.isOperator) return <OperatorsOnly />;
  return (
    <div className="max-w-3xl space-y-6">
      <nav aria-label="Operators">
        <ul className="flex flex-wrap gap-1 border-b border-base-300">
          {TABS.map(({ to, text, open }) => (
            <li key={to}>
              <NavLink
                to={to}
                end
                className="block rounded-t-field px-4 py-2.5 font-semibold hover:bg-base-200 aria-[current=page]:text-primary aria-[current=page]:shadow-[inset_0_-3px_var(--color-primary)]"
              >
                {text} <CountBadge count={open?.(me) ?? 0} what="open" />
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}

function OperatorsOnly() {
  return (
    <div className="space-y-6">
      <PageHeading title="Reports" />
      <StatePanel
        icon={<ShieldX />}
        title="Only operators see reports"
        link={{ to: paths.dashboard, text: "Dashboard" }}
      />
    </div>
  );
}
