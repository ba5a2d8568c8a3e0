import { CATEGORIES, type Me } from "@tasklane/server/contract";
import { ClipboardList, Layers, Rows3 } from "lucide-react";
import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { useAuth } from "../../../auth/auth-context.tsx";
import type { Person } from "../../../auth/auth-gateway.ts";
import { DownloadButton } from "../../../auth/download-button.tsx";
import { apiOf, loadQuery, useApi, useLoaded } from "../../../lib/api-context.tsx";
import { meQuery } from "../../../lib/me.ts";
import { paths } from "../../../lib/paths.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { UnverifiedMark } from "../../../ui/state-mark.tsx";
import { overviewQuery } from "../task-queries.ts";
import { Figures } from "./figures.tsx";

/** Loads both at once. Everything is counted by the server. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const api = apiOf(args);
  await Promise.all([loadQuery(args, overviewQuery(api)), loadQuery(args, meQuery(api))]);
  return null;
}

/** Dashboard home: a welcome, three counters and a profile card; then bids over time, tasks by state, exports. */
export function Component() {
  const api = useApi();
  const overview = useLoaded(overviewQuery(api));
  const me = useLoaded(meQuery(api));
  const { user } = useAuth();
  const name = user?.displayName ?? user?.email ?? "";
  return (
    <div className="space-y-6">
      <PageMeta title="Dashboard" />
      <PageHeading title={`Welcome, ${name}`}>Here is where things stand today.</PageHeading>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 xl:grid-cols-[minmax(0,1fr)_min(20rem,35%)] xl:items-start">
        <dl className="card stats grid grid-flow-row grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))]">
          <Counter icon={<Rows3 />} name="Total Tasks" value={overview.totalTasks} to={paths.dashBrowse} />
          <Counter
            icon={<ClipboardList />}
            name="My Posted Tasks"
            value={overview.myTasks}
            to={paths.myTasks}
          />
          <Counter icon={<Layers />} name="Total Job Category" value={CATEGORIES.length} />
        </dl>
        <ProfileCard name={name} user={user} me={me} />
        <div className="space-y-5">
          <Figures overview={overview} />
          <section aria-labelledby="exports" className="card card-body gap-3">
            <h2 id="exports" className="text-lg font-semibold">
              Take it with you
            </h2>
            <p className="quiet text-sm">Tables (CSV) for your own spreadsheet.</p>
            <div className="flex flex-wrap gap-3">
              <DownloadButton
                path="/me/tasks.csv"
                file="tasklane-my-tasks.csv"
                className="btn-outline btn-sm"
              >
                My tasks as CSV
              </DownloadButton>
              <DownloadButton path="/me/bids.csv" file="tasklane-my-bids.csv" className="btn-outline btn-sm">
                My bids as CSV
              </DownloadButton>
            </div>
          </section>
        </div>
      </div>
    </div>
  );
}

function ProfileCard({ name, user, me }: { name: string; user: Person | null; me: Me }) {
  return (
    <section aria-label="Profile" className="card card-body items-center gap-4 text-center xl:row-span-2">
      <Avatar name={name} src={user?.photoURL} size="lg" />
      <div className="max-w-full min-w-0">
        <p className="truncate text-lg font-semibold">{name}</p>
        <p className="quiet truncate text-sm">{user?.email}</p>
        {user && !user.emailVerified && <UnverifiedMark />}
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Link to={paths.person(me.id)} className="btn btn-outline btn-sm">
          Public profile
        </Link>
        <Link to={paths.settings} className="btn btn-outline btn-sm">
          Settings
        </Link>
        {me.isOperator && (
          <Link to={paths.reports} className="btn btn-outline btn-sm">
            Reports
          </Link>
        )}
      </div>
    </section>
  );
}

function Counter({ icon, name, value, to }: { icon: ReactNode; name: string; value: number; to?: string }) {
  return (
    <div className="stat relative">
      <dt className="stat-title quiet row-start-2 text-sm whitespace-normal">
        {to ? (
          <Link to={to} className="link-hover link after:absolute after:inset-0">
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="stat-value row-start-1 font-semibold tabular-nums">{value.toLocaleString("en-US")}</dd>
      <dd className="stat-figure text-primary" aria-hidden="true">
        {icon}
      </dd>
    </div>
  );
}
