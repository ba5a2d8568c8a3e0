import { Search, SlidersHorizontal, X } from "lucide-react";
import { type FormEvent, Fragment, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { type FilterSet, type FilterValues, optionsOf } from "../lib/filters.ts";
import { plural } from "../lib/format.ts";
import { Choice } from "./choice.tsx";
import { Dialog } from "./dialog.tsx";
import { type Filters, useFilters } from "./use-filters.ts";

type Props<N extends string> = {
  set: FilterSet<N>;
  /** The noun for an item, such as "task". */
  what: string;
  /** How many match, or null if not known. */
  total: number | null;
  /** The columns of the bar where there is room for all filters. */
  columns: string;
  /** Shown beside "Clear all". */
  action?: ReactNode;
  /** Shown below the bar. */
  children: ReactNode;
};

/** Search and filters in one row. On phones a button with the number of active filters opens them in a sheet. */
export function FilterBar<N extends string>({ set, what, total, columns, action, children }: Props<N>) {
  const filters = useFilters(set);
  const { values, search, choose, applyRange } = filters;
  const choices = set.countActive(values);
  const form = useRef<HTMLFormElement>(null);
  // What was typed or chosen before the app had started.
  const applyEarlier = useEffectEvent(() => {
    const changes = [...new FormData(form.current ?? undefined)].filter(
      ([name, value]) => values[name as keyof typeof values] !== value,
    );
    const { search: typed, ...chosen } = Object.fromEntries(changes);
    if (Object.keys(chosen).length > 0) choose(chosen as Partial<FilterValues<N>>);
    if (typed !== undefined) search(String(typed));
  });
  useEffect(() => applyEarlier(), []);
  const [isOpen, setIsOpen] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (applyRange()) setIsOpen(false);
  };
  const clear = (
    <button type="button" className="btn btn-ghost btn-sm" onClick={() => choose(set.none)}>
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
        className={`grid grid-cols-[1fr_auto] gap-3 @max-2xs:grid-cols-1 sm:grid-cols-2 sm:rounded-box sm:border sm:border-base-300 sm:bg-base-100 sm:p-4 ${columns}`}
      >
        <div className="space-y-1.5 sm:col-span-full">
          <label htmlFor="filter-search" className="block text-sm font-semibold max-sm:sr-only">
            {set.search.label}
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
              maxLength={set.search.maxLength}
              placeholder={set.search.placeholder}
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
          <FilterFields set={set} filters={filters} place="bar" />
        </div>
        {/* With several fields, Enter submits only if there is a submit button. */}
        <button type="submit" hidden>
          Search
        </button>
      </form>
      <Dialog title="Filters" shape="sheet" open={isOpen} onClose={() => setIsOpen(false)}>
        <form onSubmit={submit} className="space-y-4">
          <FilterFields set={set} filters={filters} place="sheet" />
          <div className="flex items-center justify-end gap-2 pt-2">
            {choices > 0 && clear}
            <button type="submit" className="btn btn-primary">
              {total === null ? `Show ${what}s` : `Show ${plural(total, what)}`}
            </button>
          </div>
        </form>
      </Dialog>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {children}
        {(choices > 0 || values.search !== "") && (
          <div className="-mx-3 flex flex-wrap">
            {action}
            {clear}
          </div>
        )}
      </div>
    </div>
  );
}

type FieldProps<N extends string> = { set: FilterSet<N>; place: string; filters: Filters<N> };

/** The choices, with the range after the first of them. */
function FilterFields<N extends string>({ set, filters, place }: FieldProps<N>) {
  const choices = set.choices.map(({ name, choice }) => (
    <Choice
      key={name}
      label={choice.label}
      options={optionsOf(choice, filters.values.search)}
      id={`filter-${place}-${name}`}
      name={name}
      value={filters.values[name]}
      onChange={(value) => filters.choose({ [name]: value } as Partial<FilterValues<N>>)}
    />
  ));
  return (
    <>
      {choices[0]}
      <AmountRange set={set} place={place} filters={filters} />
      {choices.slice(1)}
    </>
  );
}

/** Applied after a pause in typing if it is valid, when focus leaves both fields, or on Enter. */
function AmountRange<N extends string>({ set, place, filters }: FieldProps<N>) {
  const { values, errors, typeAmount, applyRange } = filters;
  const { legend, what, lowest, highest } = set.range;
  const bounds = [
    [lowest, `Lowest ${what}`],
    [highest, `Highest ${what}`],
  ] as const;
  const errorId = `filter-${place}-range-error`;
  const error = errors[lowest] ?? errors[highest];
  return (
    <fieldset
      className="min-w-0"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) applyRange();
      }}
    >
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      <div className="flex items-center gap-2">
        {bounds.map(([name, label], index) => (
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
                onChange={(event) => typeAmount({ [name]: event.target.value } as Partial<FilterValues<N>>)}
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
