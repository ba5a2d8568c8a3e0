import { type Profile, REVIEW_LIMITS } from "@tasklane/server/contract";
import { UserX } from "lucide-react";
import { useEffect } from "react";
import { type LoaderFunctionArgs, useLoaderData, useParams, useRevalidator } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { firstCharacters, formatMonth, formatStars, plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { loadList, loadQuery, useLoadedQuery } from "../../../lib/queries.tsx";
import { site } from "../../../lib/site.ts";
import { PageMeta } from "../../../ui/page-head.tsx";
import { Avatar } from "../../../ui/person.tsx";
import { Section } from "../../../ui/section.tsx";
import { Stars } from "../../../ui/stars.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { TaskCard } from "../../tasks/task-card.tsx";
import { clientTasksQuery } from "../../tasks/task-queries.ts";
import { profileQuery, reviewsQuery } from "../people-queries.ts";
import { InviteButton } from "../suggested-people.tsx";
import { AboutPerson, Portfolio } from "./about-person.tsx";
import { Reviews } from "./reviews.tsx";

/** Loads a profile and its first page of reviews; `found` is false if the profile does not exist. */
export async function loader(args: LoaderFunctionArgs): Promise<{ found: boolean }> {
  const id = args.params["id"] ?? "";
  try {
    await Promise.all([
      loadQuery(args, profileQuery(id)),
      loadList(args, reviewsQuery(id)),
      loadQuery(args, clientTasksQuery(id)),
    ]);
    return { found: true };
  } catch (error) {
    if (error instanceof ApiProblem && [400, 404, 422].includes(error.status)) return { found: false };
    throw error;
  }
}

/** A person's public profile, without their email address. */
export function Component() {
  const { found } = useLoaderData<typeof loader>();
  const { id = "" } = useParams();
  return found ? <Person id={id} /> : <ProfileNotFound />;
}

function Person({ id }: { id: string }) {
  const profile = useLoadedQuery(profileQuery(id));
  return (
    <div className="page space-y-6 py-6 sm:py-10">
      <PageMeta
        title={profile.name}
        description={descriptionOf(profile)}
        facts={factsOf(profile)}
        unlisted={profile.unlisted}
      />
      <section className="card grid grid-cols-[minmax(0,1fr)] gap-6 p-6 sm:p-8 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
        <div className="flex flex-wrap items-center gap-5">
          <Avatar name={profile.name} src={profile.image} size="lg" />
          <div className="min-w-0 space-y-1.5">
            <h1 className="text-3xl font-semibold wrap-anywhere sm:text-4xl">
              <bdi>{profile.name}</bdi>
            </h1>
            {profile.headline && (
              <p dir="auto" className="text-lg wrap-anywhere">
                {profile.headline}
              </p>
            )}
            <p className="quiet">
              Member since <time dateTime={profile.memberSince}>{formatMonth(profile.memberSince)}</time>
            </p>
            <RatingStars {...profile.rating} />
            {profile.takesInvitations && <InviteButton id={profile.id} name={profile.name} />}
          </div>
        </div>
        <Figures profile={profile} />
      </section>
      <AboutPerson profile={profile} />
      <Portfolio files={profile.portfolio} />
      <OpenTasks id={id} />
      <Reviews key={id} personId={id} name={profile.name} />
    </div>
  );
}

/** What this person looks for as a client now; nothing without any. */
function OpenTasks({ id }: { id: string }) {
  const tasks = useLoadedQuery(clientTasksQuery(id));
  if (tasks.length === 0) return null;
  return (
    <Section id="open-tasks" look="page" title="Open tasks">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-5">
        {tasks.map((task) => (
          <TaskCard key={task._id} task={task} heading="h3" action="See more" />
        ))}
      </div>
    </Section>
  );
}

const DESCRIPTION_CHARACTERS = 160;

function descriptionOf({ name, headline, about }: Profile): string {
  const own = [headline, about.replace(/\s+/g, " ")].filter(Boolean).join(" · ");
  if (!own) return `${name} on ${site.brand}: tasks, jobs and what others say of them.`;
  const beginning = firstCharacters(own, DESCRIPTION_CHARACTERS);
  return beginning === own ? own : `${beginning.trimEnd()}…`;
}

/** The profile as schema.org structured data. */
function factsOf({ name, image, headline, about, skills, languages, links, memberSince }: Profile): object {
  const optional = { image, jobTitle: headline || undefined, description: about || undefined };
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    dateCreated: memberSince,
    mainEntity: {
      "@type": "Person",
      name,
      ...optional,
      ...(skills.length > 0 && { knowsAbout: skills }),
      ...(languages.length > 0 && { knowsLanguage: languages }),
      ...(links.length > 0 && { sameAs: links }),
    },
  };
}

function Figures({ profile }: { profile: Profile }) {
  const { tasksPosted, tasksCompleted, jobsCompleted, hireRate } = profile;
  const sides = [
    { side: "As a freelancer", figures: [{ name: "Jobs done", value: count(jobsCompleted) }] },
    {
      side: "As a client",
      figures: [
        { name: "Tasks posted", value: count(tasksPosted) },
        { name: "Tasks completed", value: count(tasksCompleted) },
        // There is no hire rate before the first task has ended.
        { name: "Hire rate", value: hireRate === null ? "–" : `${Math.round(hireRate * 100)}%` },
      ],
    },
  ];
  return (
    <div className="flex flex-wrap gap-x-12 gap-y-5">
      {sides.map(({ side, figures }) => (
        <section key={side} aria-label={side} className="space-y-2">
          <h2 className="text-sm font-semibold">{side}</h2>
          <dl className="flex flex-wrap gap-x-8 gap-y-4">
            {figures.map(({ name, value }) => (
              <div key={name} className="flex flex-col-reverse justify-end">
                <dt className="quiet text-sm">{name}</dt>
                <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
          {side === "As a client" && hireRate !== null && (
            <p className="quiet text-xs">Hire rate: the share of tasks that ended with somebody hired.</p>
          )}
        </section>
      ))}
    </div>
  );
}

const count = (value: number) => value.toLocaleString("en-US");

function ProfileNotFound() {
  const { revalidate } = useRevalidator();
  const uid = useAuth().user?.uid;
  // The page was loaded before it was known who reads it: operators see people whom visitors do not.
  useEffect(() => {
    if (uid) void revalidate();
  }, [uid, revalidate]);
  return (
    <div className="page py-6 sm:py-10">
      <PageMeta title="Error" missing />
      <StatePanel
        heading="h1"
        icon={<UserX />}
        title="Profile not found"
        link={{ to: paths.browse, text: "Browse Tasks" }}
      >
        This person may have deleted their account, or the link is incomplete.
      </StatePanel>
    </div>
  );
}

/** An average rating as stars, with the figure and the number of reviews. */
function RatingStars({ average, count }: { average: number | null; count: number }) {
  if (average === null || count === 0) return <p className="quiet text-sm">No reviews yet</p>;
  return (
    <p className="flex flex-wrap items-center gap-2">
      <Stars stars={Math.round(average)} labelled={false} />
      <span className="font-semibold tabular-nums">
        {formatStars(average)}
        <span className="sr-only"> of {REVIEW_LIMITS.stars} stars</span>
      </span>
      <span className="quiet text-sm">{plural(count, "review")}</span>
    </p>
  );
}
