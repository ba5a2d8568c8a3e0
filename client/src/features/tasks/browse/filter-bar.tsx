import { TASK_LIMITS } from "@tasklane/server/contract";
import { Search, SlidersHorizontal, X } from "lucide-react";
import { type FormEvent, Fragment, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { plural } from "../../../lib/format.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SaveSearch } from "../../saved-searches/save-search.tsx";
import {
  type BrowseState,
  countActiveFilters,
  FILTER_CHOICES,
  NO_FILTERS,
  savedFilters,
} from "../task-filters.ts";
import { type Filters, useFilters } from "./use-filters.ts";

type Props = {
  state: BrowseState;
  /** How many tasks match, or null if not known. */
  total: number | null;
  /** Shown below the bar, beside "Clear all". */
  children: ReactNode;
};

/** Search and filters in one row. On phones a button with the number of active filters opens them in a sheet. */
export function FilterBar({ state, total, children }: Props) {
  const filters = useFilters();
  const { values, search, choose, applyBudgets } = filters;
  const choices = countActiveFilters(values);
  const saved = savedFilters(state);
  const canSave = !state.error && Object.keys(saved).some((name) => name !== "state");
  const form = useRef<HTMLFormElement>(null);
  // What was typed or chosen before the app had started.
  const applyEarlier = useEffectEvent(() => {
    const changes = [...new FormData(form.current ?? undefined)].filter(
      ([name, value]) => values[name as keyof typeof values] !== value,
    );
    const { search: typed, ...chosen } = Object.fromEntries(changes) as Partial<typeof values>;
    if (Object.keys(chosen).length > 0) choose(chosen);
    if (typed !== undefined) search(typed);
  });
  useEffect(() => applyEarlier(), []);
  const [isOpen, setIsOpen] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (applyBudgets()) setIsOpen(false);
  };
  const clear = (
    <button type="button" className="btn btn-ghost btn-sm" onClick={() => choose(NO_FILTERS)}>
      <X />
      Clear all
    </button>
  );
  return (
    <div className="@container space-y-3">
      {/* biome-ignore lint/a11y/useSemanticElements: Enter submits a form, which a search element cannot do. */}
      <form
        ref={form}
        role="search"
        autoComplete="off"
        onSubmit={submit}
        className="grid grid-cols-[1fr_auto] gap-3 @max-2xs:grid-cols-1 sm:grid-cols-2 sm:rounded-box sm:border sm:border-base-300 sm:bg-base-100 sm:p-4 @2xl:grid-cols-3 @6xl:grid-cols-[10rem_12rem_8.5rem_minmax(0,1fr)_8.5rem_10.5rem]"
      >
        <div className="space-y-1.5 sm:col-span-full">
          <label htmlFor="filter-search" className="block text-sm font-semibold max-sm:sr-only">
            Search by title
          </label>
          <span className="input w-full">
            <Search className="size-4 opacity-60" />
            <input
              id="filter-search"
              name="search"
              type="search"
              dir="auto"
              enterKeyHint="search"
              data-focus-home
              value={values.search}
              maxLength={TASK_LIMITS.title}
              placeholder="Title or skill"
              onChange={(event) => search(event.target.value)}
            />
          </span>
        </div>
        <button
          type="button"
          className="btn btn-outline sm:hidden"
          aria-haspopup="dialog"
          aria-label={choices > 0 ? `Filters, ${choices} active` : undefined}
          onClick={() => setIsOpen(true)}
        >
          <SlidersHorizontal />
          Filters
          {choices > 0 && <span className="badge badge-sm badge-primary tabular-nums">{choices}</span>}
        </button>
        <div className="contents max-sm:hidden">
          <FilterFields filters={filters} place="bar" />
        </div>
        {/* With several fields, Enter submits only if there is a submit button. */}
        <button type="submit" hidden>
          Search
        </button>
      </form>
      <Dialog title="Filters" shape="sheet" open={isOpen} onClose={() => setIsOpen(false)}>
        <form onSubmit={submit} className="space-y-4">
          <FilterFields filters={filters} place="sheet" />
          <div className="flex items-center justify-end gap-2 pt-2">
            {choices > 0 && clear}
            <button type="submit" className="btn btn-primary">
              {total === null ? "Show tasks" : `Show ${plural(total, "task")}`}
            </button>
          </div>
        </form>
      </Dialog>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {children}
        {(choices > 0 || values.search !== "") && (
          <div className="-mx-3 flex flex-wrap">
            {canSave && <SaveSearch filters={saved} />}
            {clear}
          </div>
        )}
      </div>
    </div>
  );
}

const BOUNDS = [
  ["minBudget", "Lowest budget"],
  ["maxBudget", "Highest budget"],
] as const;

type FieldProps = { place: string; filters: Filters };

/** Category, budget range, open or all tasks, and sort order. */
function FilterFields({ filters, place }: FieldProps) {
  const choices = FILTER_CHOICES.map(({ name, ...choice }) => (
    <Choice
      key={name}
      {...choice}
      id={`filter-${place}-${name}`}
      name={name}
      value={filters.values[name]}
      onChange={(value) => filters.choose({ [name]: value })}
    />
  ));
  return (
    <>
      {choices[0]}
      <BudgetRange place={place} filters={filters} />
      {choices.slice(1)}
    </>
  );
}

/** Applied after a pause in typing if it is valid, when focus leaves both fields, or on Enter. */
function BudgetRange({ place, filters: { values, errors, typeBudget, applyBudgets } }: FieldProps) {
  const errorId = `filter-${place}-budget-error`;
  const error = errors.minBudget ?? errors.maxBudget;
  return (
    <fieldset
      className="min-w-0"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) applyBudgets();
      }}
    >
      <legend className="mb-1.5 text-sm font-semibold">Budget</legend>
      <div className="flex items-center gap-2">
        {BOUNDS.map(([name, label], index) => (
          <Fragment key={name}>
            {index > 0 && <span aria-hidden="true">–</span>}
            <span className="input w-full gap-1 px-2.5">
              <span aria-hidden="true" className="opacity-60">
                $
              </span>
              <input
                aria-label={label}
                name={name}
                inputMode="decimal"
                enterKeyHint="done"
                autoComplete="off"
                placeholder="Any"
                value={values[name]}
                aria-invalid={errors[name] ? true : undefined}
                aria-describedby={error ? errorId : undefined}
                onChange={(event) => typeBudget({ [name]: event.target.value })}
              />
            </span>
          </Fragment>
        ))}
      </div>
      <div role="status" className="not-empty:mt-1.5">
        {error && (
          <p id={errorId} className="text-sm font-medium text-error">
            {error}
          </p>
        )}
      </div>
    </fieldset>
  );
}
