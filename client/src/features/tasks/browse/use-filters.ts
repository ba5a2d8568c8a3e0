import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router-dom";
import {
  type BrowseFilters,
  type BrowseState,
  budgetErrors,
  normalizeAmount,
  readBrowseState,
  writeBrowseState,
} from "../task-filters.ts";

/** The search runs after typing has paused for this long, in ms. */
export const DEBOUNCE_MS = 250;
/** The same for budgets, whose digits take longer to think of. */
export const BUDGET_DEBOUNCE_MS = 600;

const BUDGETS = ["minBudget", "maxBudget"] as const;

export type Filters = ReturnType<typeof useFilters>;

/**
 * The filters while a person edits them. The URL holds the applied state: choosing an option and starting a search push
 * a history entry, further typing replaces it, so that Back undoes choices and searches but not keystrokes.
 */
export function useFilters(state: BrowseState) {
  const navigate = useNavigate();
  // What the controls show; the list for it may still be loading.
  const [values, setValues] = useState<BrowseFilters>(state);
  const [errors, setErrors] = useState(() => budgetErrors(state));
  const latest = useRef(values);
  const timer = useRef<number | undefined>(undefined);
  // The budget fields hold values that are not applied yet, or are invalid.
  const hasUnappliedBudget = useRef(false);

  const here = useLocation();
  const { location: next } = useNavigation();
  // The filters of the list on the screen, and of the latest request, which may still be loading.
  const loaded = useRef(filterQuery(here.search));
  const requested = useRef(loaded.current);
  // Earlier requests that may still be loading: when their list arrives, the controls must not follow it.
  const superseded = useRef(new Set<string>());

  const setFilters = (change: Partial<BrowseFilters>) => {
    latest.current = { ...latest.current, ...change };
    setValues(latest.current);
  };

  const cancelTyping = () => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
  };

  useEffect(() => {
    loaded.current = filterQuery(here.search);
    const newest = filterQuery((next ?? here).search);
    if (!superseded.current.has(newest)) requested.current = newest;
    // A pending search must not cancel a navigation to another page.
    if (next && next.pathname !== here.pathname) cancelTyping();
  }, [here, next]);

  // The list has arrived, or the URL changed in another way (Back, a link): make the controls match it.
  useEffect(() => {
    if (timer.current !== undefined || superseded.current.has(queryOf(state))) return;
    superseded.current.clear();
    const { shown, error, ...filters } = state;
    const typed = latest.current;
    if (typed.search.trim() === filters.search) filters.search = typed.search;
    for (const name of BUDGETS)
      if (hasUnappliedBudget.current || normalizeAmount(typed[name]) === filters[name])
        filters[name] = typed[name];
    if (!hasUnappliedBudget.current) setErrors(budgetErrors(state));
    setFilters(filters);
  }, [state]);

  useEffect(() => {
    // Back discards unapplied input.
    const onBack = () => {
      cancelTyping();
      superseded.current.clear();
      hasUnappliedBudget.current = false;
      setErrors({});
    };
    window.addEventListener("popstate", onBack);
    return () => {
      cancelTyping();
      window.removeEventListener("popstate", onBack);
    };
  }, []);

  /** @param typed the filter being typed in, if any. */
  const applyFilters = (typed = "") => {
    cancelTyping();
    const { minBudget, maxBudget } = hasUnappliedBudget.current ? state : latest.current;
    const search = latest.current.search.trim();
    const query = writeBrowseState({ ...latest.current, search, minBudget, maxBudget }).toString();
    if (query === requested.current) return;
    if (requested.current !== loaded.current) superseded.current.add(requested.current);
    superseded.current.delete(query);
    requested.current = query;
    const replace = query === loaded.current || new URLSearchParams(loaded.current).has(typed);
    void navigate({ search: query }, { replace, preventScrollReset: true });
  };

  /** Applies the budget range if it is valid; otherwise reports that, unless it is being typed. Returns whether it is valid. */
  const applyBudgets = (typed?: string): boolean => {
    const found = budgetErrors(latest.current);
    const isValid = Object.keys(found).length === 0;
    if (isValid) hasUnappliedBudget.current = false;
    if (!typed) setErrors(found);
    applyFilters(typed);
    return isValid;
  };

  const applyLater = (apply: () => void, ms: number) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(apply, ms);
  };

  return {
    values,
    errors,
    search: (search: string) => {
      setFilters({ search });
      applyLater(() => applyFilters("search"), DEBOUNCE_MS);
    },
    choose: (change: Partial<BrowseFilters>) => {
      setFilters(change);
      applyBudgets();
    },
    typeBudget: (change: Partial<BrowseFilters>) => {
      hasUnappliedBudget.current = true;
      setErrors({});
      setFilters(change);
      applyLater(() => applyBudgets(Object.keys(change)[0]), BUDGET_DEBOUNCE_MS);
    },
    applyBudgets: () => applyBudgets(),
  };
}

/** The URL query in canonical form, so that queries can be compared. */
function filterQuery(search: string): string {
  return queryOf(readBrowseState(new URLSearchParams(search)));
}

function queryOf(filters: BrowseFilters): string {
  return writeBrowseState({ ...filters, shown: 0 }).toString();
}
