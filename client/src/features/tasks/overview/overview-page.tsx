import { useQueryClient } from "@tanstack/react-query";
import { CATEGORIES, MAX_WAITING, type Me, type Overview } from "@tasklane/server/contract";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { DownloadButton } from "../../../auth/download-button.tsx";
import type { Person } from "../../../auth/person.ts";
import { useAuth } from "../../../auth/session.tsx";
import { formatUsd } from "../../../lib/format.ts";
import { useTaskNews } from "../../../lib/live.ts";
import { paths } from "../../../lib/paths.ts";
import { endpointQuery, loadQuery, meQuery, useLoadedQuery } from "../../../lib/queries.tsx";
import { markStale } from "../../../lib/query-client.ts";
import { InstallCard } from "../../../ui/install-card.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { Avatar } from "../../../ui/person.tsx";
import { UnverifiedBadge } from "../../../ui/state-badge.tsx";
import { Email } from "../../../ui/user-text.tsx";
import { Figure, Figures } from "./figures.tsx";
import { FirstSteps, ProfileSteps } from "./first-steps.tsx";
import { Recommended } from "./recommended.tsx";
import { MAX_COUNTED, WaitingList } from "./waiting-list.tsx";

/** Everything the dashboard counts. */
const overviewQuery = endpointQuery(["tasks", "overview"], "GET /me/overview", {});

/** Loads the overview and the signed-in user's profile in parallel. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  await Promise.all([loadQuery(args, overviewQuery), loadQuery(args, meQuery)]);
  return null;
}

/** Dashboard home: a welcome, the to-do list, a profile card and three counters, with charts and exports below. */
export function Component() {
  const overview = useLoadedQuery(overviewQuery);
  const me = useLoadedQuery(meQuery);
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const name = user?.displayName ?? user?.email ?? "";
  const isNew = overview.myTasks === 0 && !overview.hasBids;
  const needsFirstSteps = isNew && !me.isOperator;

  const counters: [name: string, value: number, to?: string][] = [
    ["Total Tasks", overview.totalTasks, `${paths.dashBrowse}?state=all`],
    ["My Posted Tasks", overview.myTasks, paths.myTasks],
    ["Total Job Category", CATEGORIES.length],
  ];

  // A task notification may change the to-do list.
  useTaskNews(() => void markStale(queryClient, overviewQuery.queryKey));

  return (
    <div className="space-y-6">
      <PageHeading title="Dashboard" heading={`Welcome, ${name}`} />
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
            {counters.map(([name, value, to]) => (
              <Tile
                key={name}
                name={name}
                value={count(value)}
                {...(to && { to })}
                className="justify-end xl:flex-row xl:items-baseline xl:justify-between"
                nameLook="text-sm"
                look="text-xl"
              />
            ))}
          </dl>
          <InstallCard />
        </div>
        {!isNew && (
          <div className="flex flex-wrap gap-5 *:flex-[1_18rem]">
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
  const isMore = decide.length > MAX_WAITING || decide.some(({ bids = 0 }) => bids >= MAX_COUNTED);
  const tiles = [
    {
      name: "Bids to decide on",
      value: count(toDecide, isMore),
      to: `${paths.myTasks}?show=needs-you`,
    },
    {
      name: "Your tasks in progress",
      value: count(tasksByState.awarded + tasksByState.delivered),
      // Some of them need their client, the others run.
      to: paths.myTasks,
    },
    { name: "Your active jobs", value: count(activeJobs), to: `${paths.myBids}?state=awarded` },
    { name: "Agreed this month", value: formatUsd(earnings.at(-1)?.agreed ?? 0), to: paths.myBids },
    {
      name: "Unread conversations",
      value: count(me.unreadConversations, me.unreadConversations >= MAX_COUNTED),
      to: paths.messages,
    },
  ];
  return (
    <dl className="flex flex-wrap gap-3">
      {tiles.map((tile) => (
        <Tile
          key={tile.name}
          {...tile}
          className="card flex-[1_6.5rem] justify-end gap-1 p-3"
          nameLook="text-xs"
          look="text-2xl wrap-anywhere"
        />
      ))}
    </dl>
  );
}

const count = (value: number, isMore = false) => value.toLocaleString("en-US") + (isMore ? "+" : "");

function ProfileCard({ name, user, me }: { name: string; user: Person | null; me: Me }) {
  return (
    <section aria-label="Profile" className="card min-w-0 gap-4 p-5">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={name} src={user?.photoURL} />
        <div className="min-w-0 flex-1 basis-32">
          <p dir="auto" className="font-semibold wrap-anywhere">
            {name}
          </p>
          <p className="quiet text-sm wrap-anywhere">{user?.email && <Email address={user.email} />}</p>
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

type TileProps = {
  name: string;
  value: string;
  to?: string;
  className: string;
  nameLook: string;
  look: string;
};

/** A number above its name, which is a link to where the number comes from. */
function Tile({ name, value, to, className, nameLook, look }: TileProps) {
  return (
    <div className={`relative flex flex-col-reverse ${className}`}>
      <dt className={`quiet ${nameLook}`}>
        {to ? (
          <Link to={to} className="link-hover link after:absolute after:inset-0">
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className={`font-semibold tabular-nums ${look}`}>{value}</dd>
    </div>
  );
}

function Exports() {
  return (
    <Figure
      title="Export"
      summary="Everything you posted and every bid of yours, as tables for a spreadsheet."
    >
      <div className="flex flex-wrap gap-3">
        {["tasks", "bids"].map((what) => (
          <DownloadButton
            key={what}
            path={`/me/${what}.csv`}
            file={`tasklane-my-${what}.csv`}
            className="btn-outline btn-sm"
          >
            {`My ${what} as CSV`}
          </DownloadButton>
        ))}
      </div>
    </Figure>
  );
}
