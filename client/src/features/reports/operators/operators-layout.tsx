import { ShieldX } from "lucide-react";
import { Link, type LoaderFunctionArgs, NavLink, Outlet, useLoaderData } from "react-router-dom";
import { apiOf, loadQuery } from "../../../lib/api-context.tsx";
import { meQuery } from "../../../lib/me.ts";
import { paths } from "../../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";

const TABS = [
  { to: paths.reports, text: "Reports" },
  { to: paths.operatorQueue, text: "Queue" },
  { to: paths.operatorLog, text: "Log" },
];

/** Loads whether the user is an operator. */
export async function loader(args: LoaderFunctionArgs): Promise<{ isOperator: boolean }> {
  const { isOperator } = await loadQuery(args, meQuery(apiOf(args)));
  return { isOperator };
}

/** The tabs of the operators' pages. */
export function Component() {
  const { isOperator } = useLoaderData<typeof loader>();
  if (!isOperator) return <OperatorsOnly />;
  return (
    <div className="max-w-4xl space-y-6">
      <nav aria-label="Operators">
        <ul className="flex flex-wrap gap-1 border-b border-base-300">
          {TABS.map(({ to, text }) => (
            <li key={to}>
              <NavLink
                to={to}
                end
                className="-mb-px block rounded-t-field border-b-3 border-transparent px-4 py-2.5 font-semibold hover:bg-base-200 aria-[current=page]:border-primary aria-[current=page]:text-primary"
              >
                {text}
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
      <PageMeta title="Reports" />
      <PageHeading title="Reports" />
      <StatePanel
        icon={<ShieldX className="size-7" />}
        title="Only operators see reports"
        action={
          <Link to={paths.dashboard} className="btn btn-primary">
            Dashboard
          </Link>
        }
      />
    </div>
  );
}
