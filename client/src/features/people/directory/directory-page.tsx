import { type DirectoryEntry, LANGUAGES, PROFILE_LIMITS } from "@tasklane/server/contract";
import { SearchX } from "lucide-react";
import type { FormEvent } from "react";
import { Link, type LoaderFunctionArgs, useNavigate, useSearchParams } from "react-router-dom";
import { type ListLoad, loadList } from "../../../lib/api-context.tsx";
import { formatDaysAgo, formatUsd, plural } from "../../../lib/format.ts";
import { languageName, languageOptions } from "../../../lib/languages.ts";
import { paths } from "../../../lib/paths.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { SkillList } from "../../../ui/skill-list.tsx";
import { Rating } from "../../../ui/stars.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { useShownList } from "../../../ui/use-shown-list.tsx";
import { type DirectoryFilters, directoryFilters, directoryQuery } from "../people-queries.ts";

/** Loads the people who match the URL, as many as `?shown=` says. */
export function loader(args: LoaderFunctionArgs): Promise<ListLoad> {
  const params = new URL(args.request.url).searchParams;
  return loadList(args, directoryQuery(filtersIn(params)));
}

/** The URL's filters; an unknown language counts as any. */
function filtersIn(params: URLSearchParams): DirectoryFilters {
  const filters = directoryFilters(params);
  return LANGUAGES.includes(filters.language) ? filters : { ...filters, language: "" };
}

/** The directory of people who offer work. */
export function Component() {
  const [params] = useSearchParams();
  const filters = filtersIn(params);
  const texts = { what: "people", hint: "Search to find others." };
  const { items, hasMore, more } = useShownList(directoryQuery(filters), texts);
  return (
    <div className="page space-y-6 py-6 sm:py-10">
      <PageHeading
        title="Find people"
        description="Freelancers with their skills, ratings and prices. Look at a profile, and post a task for what you need."
      >
        People who offer work here, the most recently active first. Write a headline or skills in your profile
        to be one of them.
      </PageHeading>
      <DirectorySearch key={String(params)} {...filters} />
      {items.length === 0 && !hasMore ? (
        <StatePanel
          icon={<SearchX />}
          title="Nobody found"
          action={
            <Link to={paths.people} className="btn btn-primary">
              Show everybody
            </Link>
          }
        >
          Try a shorter text, such as one skill, or any language.
        </StatePanel>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-5">
          {items.map((person) => (
            <PersonCard key={person.id} person={person} />
          ))}
        </ul>
      )}
      {more}
    </div>
  );
}

/** Works without scripts as well: the form's fields are the URL's parameters. */
function DirectorySearch({ search, language }: DirectoryFilters) {
  const navigate = useNavigate();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = [...new FormData(event.currentTarget)].filter(([, value]) => value !== "");
    void navigate({ search: String(new URLSearchParams(chosen as [string, string][])) });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: Enter submits a form, which a search element cannot do.
    <form role="search" action={paths.people} className="flex flex-wrap gap-3" onSubmit={apply}>
      <input
        type="search"
        name="search"
        aria-label="Name or skill"
        placeholder="Name or skill"
        maxLength={PROFILE_LIMITS.headline}
        defaultValue={search}
        className="input min-w-0 grow basis-56"
      />
      <select
        name="language"
        aria-label="Language"
        defaultValue={language}
        className="select min-w-0 grow basis-40 sm:max-w-60"
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
      >
        <option value="">Any language</option>
        {languageOptions().map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="btn btn-primary">
        Search
      </button>
    </form>
  );
}

function PersonCard({ person }: { person: DirectoryEntry }) {
  const { id, name, image, headline, skills, languages, rating, jobsCompleted, prices, lastActiveOn } =
    person;
  const now = useNow();
  const facts = [
    jobsCompleted > 0 && `${plural(jobsCompleted, "job")} done`,
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
