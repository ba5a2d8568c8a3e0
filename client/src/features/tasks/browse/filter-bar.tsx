import { CATEGORIES, TASK_LIMITS } from "@tasklane/server/contract";
import { Search, X } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { type BrowseState, isFiltered, writeBrowseState } from "../task-filters.ts";

/** How long typing may pause before the search runs, in ms. */
const DEBOUNCE_MS = 250;

/**
 * Category, title search and sort. The address holds the state: typing replaces the current history entry,
 * choosing pushes one, so that the back button undoes choices and not keystrokes.
 */
export function FilterBar({ state }: { state: BrowseState }) {
  const navigate = useNavigate();
  const [search, setSearch] = useState(state.search);
  const typed = useRef(state.search);
  const timer = useRef<number | undefined>(undefined);

  // The address changed by other means (back button, a link): show what it says.
  useEffect(() => {
    if (state.search !== typed.current.trim()) {
      typed.current = state.search;
      setSearch(state.search);
    }
  }, [state.search]);

  useEffect(() => () => window.clearTimeout(timer.current), []);

  const go = (change: Partial<BrowseState>, replace = false) => {
    window.clearTimeout(timer.current);
    const { shown: _firstPageAgain, ...filters } = state;
    const params = writeBrowseState({ ...filters, search: typed.current.trim(), ...change });
    void navigate({ search: params.toString() }, { replace, preventScrollReset: true });
  };

  const type = (value: string) => {
    typed.current = value;
    setSearch(value);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => go({}, true), DEBOUNCE_MS);
  };

  const clear = () => {
    typed.current = "";
    setSearch("");
    go({ search: "", category: "", sort: "" });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    go({});
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element cannot submit; the form is what Enter needs.
    <form
      role="search"
      onSubmit={submit}
      className="surface flex flex-col gap-3 p-3 sm:p-4 lg:flex-row lg:items-end"
    >
      <label className="grow space-y-1.5">
        <span className="block text-sm font-semibold">Search by title</span>
        <span className="input w-full">
          <Search aria-hidden="true" className="size-4 opacity-60" />
          <input
            type="search"
            value={search}
            maxLength={TASK_LIMITS.title}
            placeholder="e.g. landing page"
            onChange={(event) => type(event.target.value)}
          />
        </span>
      </label>
      <div className="grid grid-cols-2 gap-3 lg:flex">
        <label className="space-y-1.5">
          <span className="block text-sm font-semibold">Category</span>
          <select
            className="select w-full lg:w-48"
            value={state.category}
            onChange={(event) => go({ category: event.target.value })}
          >
            <option value="">All categories</option>
            {CATEGORIES.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </select>
        </label>
        <label className="space-y-1.5">
          <span className="block text-sm font-semibold">Sort by date</span>
          <select
            className="select w-full lg:w-48"
            value={state.sort}
            onChange={(event) => go({ sort: event.target.value })}
          >
            <option value="">Newest posted</option>
            <option value="asc">Deadline: soonest</option>
            <option value="desc">Deadline: latest</option>
          </select>
        </label>
      </div>
      {(isFiltered(state) || state.sort) && (
        <button type="button" className="btn btn-ghost" onClick={clear}>
          <X aria-hidden="true" className="size-4" />
          Clear all
        </button>
      )}
    </form>
  );
}
