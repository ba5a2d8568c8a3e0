import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { CATEGORIES, MAX_WAITING, type Me, type Overview } from "@tasklane/server/contract";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { DownloadButton } from "../../../auth/download-button.tsx";
import type { Person } from "../../../auth/person.ts";
import { useAuth } from "../../../auth/session.tsx";
import type { Api } from "../../../lib/api.ts";
import { apiOf, loadQuery, useApi } from "../../../lib/api-context.tsx";
import { formatUsd } from "../../../lib/format.ts";
import { useTaskNews } from "../../../lib/live.ts";
import { useLoadedQuery } from "../../../lib/loaded-query.ts";
import { meQuery } from "../../../lib/me.ts";
import { paths } from "../../../lib/paths.ts";
import { markStale } from "../../../lib/query-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { InstallCard } from "../../../ui/install-card.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { UnverifiedBadge } from "../../../ui/state-badge.tsx";
import { Figures } from "./figures.tsx";
import { ProfileSteps } from "./profile-steps.tsx";
import { Recommended } from "./recommended.tsx";
import { FirstSteps, WaitingList } from "./waiting-list.tsx";

/** GET /me/overview: everything the dashboard counts. */
function overviewQuery(api: Api) {
  return queryOptions({
    queryKey: ["tasks", "overview"],
    queryFn: async () => (await api.call("GET /me/overview", {})).data,
  });
}

/** Loads the overview and the signed-in user's profile in parallel. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const api = apiOf(args);
  await Promise.all([loadQuery(args, overviewQuery(api)), loadQuery(args, meQuery(api))]);
  return null;
}

/** Dashboard home: a welcome, the to-do list, a profile card and three counters, with charts and exports below. */
export function Component() {
  const api = useApi();
  const overview = useLoadedQuery(overviewQuery(api));
  const me = useLoadedQuery(meQuery(api));
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const name = user?.displayName ?? user?.email ?? "";
  const isNew = overview.myTasks === 0 && !overview.hasBids;
  const needsFirstSteps = isNew && !me.isOperator;

  // A task notification may change the to-do list.
  useTaskNews(() => void markStale(queryClient, overviewQuery(api).queryKey));

  return (
    <div className="space-y-6">
      <PageMeta title="Dashboard" />
      <PageHeading title={`Welcome, ${name}`} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_min(20rem,35%)]">
        <div className="space-y-5">
          {!isNew && <AtAGlance overview={overview} me={me} />}
          <WaitingList waiting={overview.waiting} me={me} isNew={needsFirstSteps} />
          <Recommended />
          {needsFirstSteps && (
            <>
              <FirstSteps />
              <ProfileSteps />
            </>
          )}
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-5 xl:row-span-2 xl:grid-cols-1">
          <ProfileCard name={name} user={user} me={me} />
          <dl className="card grid grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] gap-3 p-5 xl:grid-cols-1">
            <Counter name="Total Tasks" value={overview.totalTasks} to={paths.dashBrowse} />
            <Counter name="My Posted Tasks" value={overview.myTasks} to={paths.myTasks} />
            <Counter name="Total Job Category" value={CATEGORIES.length} />
          </dl>
          <InstallCard />
        </div>
        {!isNew && (
          <div className="space-y-5">
            <Figures overview={overview} />
            <Exports />
          </div>
        )}
      </div>
    </div>
  );
}

/** What is going on, in five numbers that lead to the pages behind them. */
function AtAGlance({ overview, me }: { overview: Overview; me: Me }) {
  const { waiting, activeJobs, tasksByState, earnings } = overview;
  const decide = waiting.filter(({ kind }) => kind === "decide");
  const toDecide = decide.reduce((sum, { bids = 0 }) => sum + bids, 0);
  // Only the first tasks are listed.
  const isMore = decide.length > MAX_WAITING;
  const tiles = [
    {
      name: "Bids to decide on",
      value: `${count(toDecide)}${isMore ? "+" : ""}`,
      to: `${paths.myTasks}?show=needs-you`,
    },
    {
      name: "Your tasks in progress",
      value: count(tasksByState.awarded + tasksByState.delivered),
      to: `${paths.myTasks}?show=running`,
    },
    { name: "Your active jobs", value: count(activeJobs), to: `${paths.myBids}?state=awarded` },
    { name: "Agreed this month", value: formatUsd(earnings.at(-1)?.agreed ?? 0), to: paths.myBids },
    { name: "Unread conversations", value: count(me.unreadConversations), to: paths.messages },
  ];
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3">
      {tiles.map(({ name, value, to }) => (
        <div
          key={name}
          className="card relative flex flex-col-reverse justify-end gap-1 p-3 max-sm:last:col-span-full"
        >
          <dt className="quiet text-xs">
            <Link to={to} className="link-hover link after:absolute after:inset-0">
              {name}
            </Link>
          </dt>
          <dd className="text-2xl font-semibold wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const count = (value: number) => value.toLocaleString("en-US");

function ProfileCard({ name, user, me }: { name: string; user: Person | null; me: Me }) {
  return (
    <section aria-label="Profile" className="card min-w-0 gap-4 p-5">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={name} src={user?.photoURL} />
        <div className="min-w-0 flex-1 basis-32">
          <p dir="auto" className="font-semibold wrap-anywhere">
            {name}
          </p>
          <p className="quiet text-sm wrap-anywhere">{user?.email}</p>
          {user && !user.emailVerified && (
            <Link to={paths.verification} className="inline-block underline">
              <UnverifiedBadge />
            </Link>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link to={paths.person(me.id)} className="btn btn-outline btn-sm">
          Public profile
        </Link>
        <Link to={paths.settings} className="btn btn-outline btn-sm">
          Settings
        </Link>
      </div>
    </section>
  );
}

function Counter({ name, value, to }: { name: string; value: number; to?: string }) {
  return (
    <div className="relative flex flex-col-reverse justify-end xl:flex-row xl:items-baseline xl:justify-between">
      <dt className="quiet text-sm">
        {to ? (
          <Link to={to} className="link-hover link after:absolute after:inset-0">
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="text-xl font-semibold tabular-nums">{value.toLocaleString("en-US")}</dd>
    </div>
  );
}

function Exports() {
  return (
    <section aria-labelledby="exports" className="card card-body gap-3">
      <h2 id="exports" className="text-lg font-semibold">
        Export
      </h2>
      <p className="quiet text-sm">
        Everything you posted and every bid of yours, as tables for a spreadsheet.
      </p>
      <div className="flex flex-wrap gap-3">
        <DownloadButton path="/me/tasks.csv" file="tasklane-my-tasks.csv" className="btn-outline btn-sm">
          My tasks as CSV
        </DownloadButton>
        <DownloadButton path="/me/bids.csv" file="tasklane-my-bids.csv" className="btn-outline btn-sm">
          My bids as CSV
        </DownloadButton>
      </div>
    </section>
  );
}
