import { useQuery } from "@tanstack/react-query";
import {
  type EmailFrequency,
  SAVED_SEARCH_LIMITS,
  type SavedFilters,
  type SavedSearch,
  savedSearchFields,
  taskFilters,
} from "@tasklane/server/contract";
import { useState } from "react";
import { Link } from "react-router-dom";
import * as z from "zod/mini";
import { useAuth } from "../../auth/session.tsx";
import { firstCharacters, formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { endpointQuery, meQuery } from "../../lib/queries.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDone } from "../../ui/form-parts.tsx";
import { SchemaForm, useNewAttempt } from "../../ui/schema-form.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { browseFilters } from "../tasks/task-filters.ts";

/** The filters of a search as a list of badges. */
export function FilterList({ filters }: { filters: SavedFilters }) {
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-2">
      {describeFilters(filters).map((text) => (
        <li
          key={text}
          dir="auto"
          className="badge h-auto max-w-full py-0.5 wrap-anywhere badge-neutral badge-soft"
        >
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Describes each filter of a search in words; options as in Browse, where open tasks are the default. */
function describeFilters(filters: SavedFilters): string[] {
  const { search, minBudget, maxBudget } = filters;
  return [
    search ? `“${search}” in title, skills or description` : "",
    ...browseFilters.choices.map(({ name, choice: { options } }) => {
      const chosen = filters[name as keyof SavedFilters];
      return options.find(([value]) => value === chosen)?.[1] ?? "";
    }),
    minBudget && maxBudget
      ? `${formatUsd(Number(minBudget))} to ${formatUsd(Number(maxBudget))}`
      : minBudget
        ? `${formatUsd(Number(minBudget))} or more`
        : maxBudget
          ? `${formatUsd(Number(maxBudget))} or less`
          : "",
  ].filter((text) => text !== "");
}

/** A default name for a search. */
export function suggestName(filters: SavedFilters): string {
  const { search, category } = filters;
  const name = [search, category].filter(Boolean).join(", ") || describeFilters(filters).join(", ");
  return firstCharacters(name, SAVED_SEARCH_LIMITS.name).trim();
}

const FILTERS = Object.keys(taskFilters) as (keyof SavedFilters)[];

/** The URL of the dashboard's Browse page with these filters. */
export function browseAddress(filters: SavedFilters): string {
  const params = new URLSearchParams();
  for (const name of FILTERS) {
    const value = name === "state" ? !filters.state && "all" : filters[name];
    if (value) params.set(name, value);
  }
  return `${paths.dashBrowse}?${params}`;
}

/** The saved search with exactly these filters, if any. */
export function findSame(searches: readonly SavedSearch[], filters: SavedFilters): SavedSearch | undefined {
  return searches.find((one) => FILTERS.every((name) => (one[name] ?? "") === (filters[name] ?? "")));
}

/** The viewer's saved searches, newest first. */
export const savedSearchesQuery = endpointQuery(["saved-searches"], "GET /me/searches", {});

/** How often new tasks are emailed, as the options of a select. */
export const MAIL_OPTIONS = [
  ["at-once", "Immediately"],
  ["daily", "Once a day"],
  ["never", "Never"],
] as const satisfies [EmailFrequency, string][];

const formSchema = z.pick(savedSearchFields, { name: true, mail: true });

/** The form to save a search under a name, and to choose how often new tasks are emailed. */
export function SaveSearchForm({ filters }: { filters: SavedFilters }) {
  const [isSaved, setIsSaved] = useState(false);
  const me = useQuery(meQuery);
  const saved = useQuery(savedSearchesQuery);
  const draftName = `search.${JSON.stringify(filters)}`;
  const same = findSame(saved.data ?? [], filters);
  useNewAttempt(draftName, saved.isSuccess && !saved.isFetching && !same);
  // If loading the saved searches fails, the form is shown anyway.
  if (me.isPending || saved.isPending) return <Spinner />;
  if (isSaved) return <Saved />;
  const emails = me.data?.emailAvailable ?? false;
  if ((saved.data?.length ?? 0) >= SAVED_SEARCH_LIMITS.perPerson) return <LimitReached />;
  return (
    <SchemaForm
      schema={formSchema}
      stored={{ name: suggestName(filters), mail: emails ? "daily" : "never" }}
      draft={draftName}
      save={(fields, call) => call("POST /me/searches", { body: { ...filters, ...fields } })}
      onSaved={() => setIsSaved(true)}
      submit="Save search"
      busy="Saving…"
    >
      <FilterList filters={filters} />
      {same && (
        <p role="status" className="text-sm">
          You have already saved this search as{" "}
          <Link to={paths.searches} className="link link-primary">
            <bdi>{same.name}</bdi>
          </Link>
          .
        </p>
      )}
      <Field name="name" label="Name" limit={SAVED_SEARCH_LIMITS.name} required />
      {emails ? (
        <Field name="mail" label="Email me new tasks" hint={<MailHint />} options={MAIL_OPTIONS} required />
      ) : (
        <input type="hidden" name="mail" value="never" />
      )}
    </SchemaForm>
  );
}

function MailHint() {
  const { user } = useAuth();
  return user?.emailVerified
    ? "You also get a notification for each new task immediately, whatever you choose."
    : "Emails start once you have verified your address. You also get a notification for each new task.";
}

function Saved() {
  const searches = (
    <Link to={paths.searches} className="btn btn-ghost">
      My saved searches
    </Link>
  );
  return <FormDone text="Saved. We’ll notify you of new tasks that match." more={searches} />;
}

function LimitReached() {
  return (
    <div className="space-y-4">
      <p>
        You have {SAVED_SEARCH_LIMITS.perPerson} saved searches, which is the limit. Delete one that you no
        longer need.
      </p>
      <Link to={paths.searches} className="btn btn-primary">
        My saved searches
      </Link>
    </div>
  );
}
