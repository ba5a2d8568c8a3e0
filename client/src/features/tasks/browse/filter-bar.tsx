import { TASK_LIMITS } from "@tasklane/server/contract";
import { Search, X } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router-dom";
import {
  type BrowseFilters,
  type BrowseState,
  CHOICES,
  hasChoice,
  NO_FILTERS,
  readBrowseState,
  writeBrowseState,
} from "../task-filters.ts";

/** How long typing may pause before the search runs, in ms. */
export const DEBOUNCE_MS = 250;

/**
 * Title search, which tasks, category and sort. The address holds the state: choosing and the beginning of a search push
 * a history entry, further typing replaces it, so that the back button undoes choices and searches but not keystrokes.
 */
export function FilterBar({ state }: { state: BrowseState }) {
  const navigate = useNavigate();
  // What the person has asked for; the list may still be on its way to it.
  const [wanted, setWanted] = useState<BrowseFilters>(state);
  const latest = useRef(wanted);
  const timer = useRef<number | undefined>(undefined);

  const here = useLocation();
  const { location: next } = useNavigation();
  // The filters of the list on the screen, and of the newest one asked for, which may still be loading.
  const loaded = useRef(filterQuery(here.search));
  const requested = useRef(loaded.current);

  const want = (change: Partial<BrowseFilters>) => {
    latest.current = { ...latest.current, ...change };
    setWanted(latest.current);
  };

  const cancelTyping = () => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
  };

  useEffect(() => {
    loaded.current = filterQuery(here.search);
    requested.current = filterQuery((next ?? here).search);
    // A search that is not sent yet must not hold back somebody who is on the way to another page.
    if (next && next.pathname !== here.pathname) cancelTyping();
  }, [here, next]);

  // The list has arrived, or the address changed by other means (back button, a link): show what it says.
  useEffect(() => {
    if (timer.current !== undefined) return;
    const { shown, ...filters } = state;
    const trailingSpace = latest.current.search.trim() === filters.search;
    latest.current = trailingSpace ? { ...filters, search: latest.current.search } : filters;
    setWanted(latest.current);
  }, [state]);

  useEffect(() => {
    // Going back means what was there before, not what was just being typed.
    window.addEventListener("popstate", cancelTyping);
    return () => {
      cancelTyping();
      window.removeEventListener("popstate", cancelTyping);
    };
  }, []);

  const go = (typing: boolean) => {
    cancelTyping();
    const query = writeBrowseState({ ...latest.current, search: latest.current.search.trim() }).toString();
    if (query === requested.current) return;
    requested.current = query;
    const replace = query === loaded.current || (typing && new URLSearchParams(loaded.current).has("search"));
    void navigate({ search: query }, { replace, preventScrollReset: true });
  };

  const type = (search: string) => {
    want({ search });
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => go(true), DEBOUNCE_MS);
  };

  const choose = (change: Partial<BrowseFilters>) => {
    want(change);
    go(false);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(false);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element cannot submit; the form is what Enter needs.
    <form role="search" onSubmit={submit} className="card gap-3 p-3 @xl:p-4 @4xl:flex-row @4xl:items-end">
      <div className="grow space-y-1.5">
        <label htmlFor="filter-search" className="block text-sm font-semibold">
          Search by title
        </label>
        <span className="input w-full">
          <Search aria-hidden="true" className="size-4 opacity-60" />
          <input
            id="filter-search"
            type="search"
            dir="auto"
            enterKeyHint="search"
            data-focus-home
            value={wanted.search}
            maxLength={TASK_LIMITS.title}
            placeholder="e.g. landing page"
            onChange={(event) => type(event.target.value)}
          />
        </span>
      </div>
      <div className="grid grid-cols-1 gap-3 @2xs:grid-cols-2 @xl:grid-cols-3 @4xl:flex">
        {CHOICES.map(({ name, label, options }) => (
          <div key={name} className="space-y-1.5 first:col-span-full @xl:first:col-span-1">
            <label htmlFor={`filter-${name}`} className="block text-sm font-semibold">
              {label}
            </label>
            <select
              id={`filter-${name}`}
              className="select w-full @4xl:w-42"
              value={wanted[name]}
              onChange={(event) => choose({ [name]: event.target.value })}
            >
              {options.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      {hasChoice(wanted) && (
        <button type="button" className="btn btn-ghost" onClick={() => choose(NO_FILTERS)}>
          <X aria-hidden="true" className="size-4" />
          Clear all
        </button>
      )}
    </form>
  );
}

/** The filters of an address in their one spelling, however they were written there. */
function filterQuery(search: string): string {
  return writeBrowseState({ ...readBrowseState(new URLSearchParams(search)), shown: 0 }).toString();
}
