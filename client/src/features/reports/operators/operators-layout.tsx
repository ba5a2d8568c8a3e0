import type { Me } from "@tasklane/server/contract";
import { ShieldX } from "lucide-react";
import type { ReactNode } from "react";
import {
  type LoaderFunctionArgs,
  NavLink,
  Outlet,
  useLocation,
  useNavigation,
  useSearchParams,
} from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import {
  type ListLoad,
  type ListQuery,
  loadList,
  loadQuery,
  meQuery,
  useLoadedQuery,
} from "../../../lib/queries.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { CountBadge } from "../../../ui/count-badge.tsx";
import { useListUpdate } from "../../../ui/lists.tsx";
import { useShownList } from "../../../ui/load-more.tsx";
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
        <ul className="flex flex-wrap border-b sm:gap-1 border-base-300">
          {TABS.map(({ to, text, open }) => (
            <li key={to}>
              <NavLink
                to={to}
                end
                className="block rounded-t-field px-1.5 py-2.5 sm:px-3 font-semibold hover:bg-base-200 aria-[current=page]:text-primary aria-[current=page]:shadow-[inset_0_-3px_var(--color-primary)]"
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

/** How many entries each "Load more" fetches. */
export const PAGE_SIZE = 20;

/** A select that filters a list by a parameter of the URL. It starts with its first option; "" and `all` filter nothing. */
export type Filter = { name: string; label: string; options: readonly (readonly [string, string])[] };

/** The filter by state, with which each list starts. */
export const STATE: Filter = {
  name: "state",
  label: "Show",
  options: [
    ["open", "Open"],
    ["resolved", "Resolved"],
    ["all", "All"],
  ],
};

/** Reads what a list is filtered by from the URL. */
export function readFilters(params: URLSearchParams, filters: readonly Filter[]): Record<string, string> {
  const chosen = filters.map(({ name, options: [first, ...others] }) => {
    const [value = ""] = others.find(([option]) => option === params.get(name)) ?? first ?? [];
    return [name, value] as const;
  });
  return Object.fromEntries(chosen.filter(([, value]) => value !== "" && value !== "all"));
}

type QueryOf<T> = (params: URLSearchParams) => ListQuery<T>;

/** Loads as many entries of a list as the URL says; nothing for users who are not operators. */
export async function loadForOperator<T>(args: LoaderFunctionArgs, queryOf: QueryOf<T>): Promise<ListLoad> {
  const { isOperator } = await loadQuery(args, meQuery);
  return isOperator ? loadList(args, queryOf(new URL(args.request.url).searchParams)) : {};
}

type ListProps<T> = {
  title: string;
  intro: ReactNode;
  queryOf: QueryOf<T>;
  /** The noun for the entries, and what to do once the list has reached its maximum length. */
  what: string;
  hint: string;
  filters?: readonly Filter[];
  /** Shown if there are no entries. */
  empty: ReactNode;
  children: (item: T) => ReactNode;
};

/** A page of operators with a list of cards. */
export function OperatorList<T>({ title, intro, queryOf, filters, empty, children, ...texts }: ListProps<T>) {
  const [params] = useSearchParams();
  const { items, more } = useShownList(queryOf(params), texts);
  const stale = useListUpdate();
  return (
    <div className="space-y-6">
      <PageHeading title={title}>{intro}</PageHeading>
      {filters && <Filters filters={filters} />}
      {items.length === 0 && empty}
      <ol
        aria-busy={stale}
        className={`grid grid-cols-1 gap-4 transition-opacity ${stale ? "opacity-60" : ""}`}
      >
        {items.map(children)}
      </ol>
      {more}
    </div>
  );
}

function Filters({ filters }: { filters: readonly Filter[] }) {
  const [, setParams] = useSearchParams();
  const { pathname, search } = useLocation();
  const { location: next } = useNavigation();
  // Shows the new choice while its list is still loading.
  const params = new URLSearchParams(next?.pathname === pathname ? next.search : search);
  return (
    // The minimum column width fits the longest option with its arrow.
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13.5rem),1fr))] gap-3 sm:max-w-md">
      {filters.map(({ name, label, options }) => (
        <Choice
          key={name}
          id={`list-${name}`}
          label={label}
          options={options}
          value={params.get(name) ?? options[0]?.[0] ?? ""}
          onChange={(value) => {
            params.set(name, value);
            params.delete("shown");
            setParams(params);
          }}
        />
      ))}
    </div>
  );
}
