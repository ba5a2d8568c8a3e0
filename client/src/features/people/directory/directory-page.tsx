import type { DirectoryEntry } from "@tasklane/server/contract";
import { SearchX } from "lucide-react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { formatDaysAgo, formatUsd, plural } from "../../../lib/format.ts";
import { languageName } from "../../../lib/languages.ts";
import { paths } from "../../../lib/paths.ts";
import { FilteredResults, loadFiltered, useFilteredList, useListUpdate } from "../../../ui/lists.tsx";
import { useNow } from "../../../ui/now.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { Avatar } from "../../../ui/person.tsx";
import { SkillList } from "../../../ui/skill-list.tsx";
import { Rating } from "../../../ui/stars.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { directoryQuery, peopleFilters } from "../people-queries.ts";

/** Loads the people who match the URL, as many as `?shown=` says. */
export function loader(args: LoaderFunctionArgs) {
  const state = peopleFilters.read(new URL(args.request.url).searchParams);
  return loadFiltered(args, state, directoryQuery(state));
}

const COLUMNS = "@5xl:grid-cols-[minmax(0,1fr)_14rem_minmax(0,1fr)_minmax(0,1fr)]";

/** Filters that find only people with completed jobs or reviews. */
const BY_JOBS = ["category", "minRating", "minPrice", "maxPrice"] as const;

/** The directory of people who offer work. */
export function Component() {
  const list = useFilteredList(directoryQuery);
  const { items, state } = list;
  const stale = useListUpdate();
  return (
    <div className="page space-y-6 py-6 sm:py-10">
      <PageHeading
        title="Find people"
        description="Freelancers with their skills, ratings and prices. Look at a profile, and post a task for what you need."
      >
        People who offer work here, the most recently active first. Write a headline or skills in your profile
        to be one of them.
      </PageHeading>
      <FilteredResults
        set={peopleFilters}
        list={list}
        what="freelancer"
        counted={items.length > 0 && "freelancer"}
        columns={COLUMNS}
        empty={
          <StatePanel
            icon={<SearchX />}
            title="Nobody found"
            link={{ to: paths.people, text: "Show everybody" }}
          >
            {BY_JOBS.some((name) => state[name])
              ? "Not everybody has completed jobs and reviews yet. Remove a filter, or search for one skill."
              : "Try a shorter text, such as one skill, or any language."}
          </StatePanel>
        }
      >
        <ul
          aria-busy={stale}
          className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-5 transition-opacity ${stale ? "opacity-60" : ""}`}
        >
          {items.map((person) => (
            <PersonCard key={person.id} person={person} />
          ))}
        </ul>
      </FilteredResults>
    </div>
  );
}

function PersonCard({ person }: { person: DirectoryEntry }) {
  const { id, name, image, headline, skills, languages, rating, lastActiveOn } = person;
  const { jobsCompleted, categories, prices } = person;
  const now = useNow();
  const facts = [
    jobsCompleted > 0 && `${plural(jobsCompleted, "job")} done in ${categories.join(", ")}`,
    prices &&
      (prices.from === prices.to
        ? formatUsd(prices.from)
        : `${formatUsd(prices.from)} to ${formatUsd(prices.to)} a job`),
    languages.length > 0 && languages.map(languageName).join(", "),
    `Active ${formatDaysAgo(lastActiveOn, now)}`,
  ];
  return (
    <li className="card relative gap-3 p-5 shadow-card transition-shadow focus-within:shadow-lift hover:shadow-lift">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={image} />
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">
            <Link to={paths.person(id)} className="link-hover link after:absolute after:inset-0">
              <bdi>{name}</bdi>
            </Link>
          </h2>
          <p className="quiet text-sm">
            <Rating {...rating} />
          </p>
        </div>
      </div>
      {headline && (
        <p dir="auto" className="line-clamp-2 wrap-anywhere">
          {headline}
        </p>
      )}
      <SkillList skills={skills} />
      <p className="quiet mt-auto text-sm wrap-anywhere">{facts.filter(Boolean).join(" · ")}</p>
    </li>
  );
}
