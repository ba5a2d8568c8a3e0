import { Fragment } from "react";
import { CHOICES } from "../task-filters.ts";
import type { Filters } from "./use-filters.ts";

const BOUNDS = [
  ["minBudget", "Lowest budget"],
  ["maxBudget", "Highest budget"],
] as const;

/** Category, range of budgets, which tasks, and order. */
export function FilterFields({ filters }: { filters: Filters }) {
  const [category, ...others] = CHOICES;
  return (
    <>
      {category && <Choice {...category} filters={filters} />}
      <BudgetRange filters={filters} />
      {others.map((choice) => (
        <Choice key={choice.name} {...choice} filters={filters} />
      ))}
    </>
  );
}

function Choice({ name, label, options, filters }: (typeof CHOICES)[number] & { filters: Filters }) {
  return (
    <div className="space-y-1.5">
      <label htmlFor={`filter-${name}`} className="block text-sm font-semibold">
        {label}
      </label>
      <select
        id={`filter-${name}`}
        className="select w-full"
        value={filters.wanted[name]}
        onChange={(event) => filters.choose({ [name]: event.target.value })}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Counts when the focus leaves both fields, or with Enter. */
function BudgetRange({ filters: { wanted, errors, typeBudget, applyBudgets } }: { filters: Filters }) {
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
        {BOUNDS.map(([name, label], at) => (
          <Fragment key={name}>
            {at > 0 && <span aria-hidden="true">–</span>}
            <span className="input w-full gap-1 px-2.5">
              <span aria-hidden="true" className="opacity-60">
                $
              </span>
              <input
                aria-label={label}
                inputMode="decimal"
                enterKeyHint="done"
                autoComplete="off"
                placeholder="Any"
                value={wanted[name]}
                aria-invalid={errors[name] ? true : undefined}
                aria-describedby={error ? "filter-budget-error" : undefined}
                onChange={(event) => typeBudget({ [name]: event.target.value })}
              />
            </span>
          </Fragment>
        ))}
      </div>
      <div role="status" className="not-empty:mt-1.5">
        {error && (
          <p id="filter-budget-error" className="text-sm font-medium text-error">
            {error}
          </p>
        )}
      </div>
    </fieldset>
  );
}
