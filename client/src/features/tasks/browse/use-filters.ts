import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router-dom";
import {
  type BrowseFilters,
  type BrowseState,
  budgetErrors,
  readBrowseState,
  typedAmount,
  writeBrowseState,
} from "../task-filters.ts";

/** How long typing may pause before the search runs, in ms. */
export const DEBOUNCE_MS = 250;

export type Filters = ReturnType<typeof useFilters>;

/**
 * The filters as a person sets them. The address holds the state: choosing and the beginning of a search push a history
 * entry, further typing replaces it, so that the back button undoes choices and searches but not keystrokes.
 */
export function useFilters(state: BrowseState) {
  const navigate = useNavigate();
  // What the person has asked for; the list may still be on its way to it.
  const [wanted, setWanted] = useState<BrowseFilters>(state);
  const [errors, setErrors] = useState<ReturnType<typeof budgetErrors>>({});
  const latest = useRef(wanted);
  const timer = useRef<number | undefined>(undefined);
  // Budgets are typed that do not count yet, or are wrong.
  const typesBudget = useRef(false);

  const here = useLocation();
  const { location: next } = useNavigation();
  // The filters of the list on the screen, and of the newest one asked for, which may still be loading.
  const loaded = useRef(filterQuery(here.search));
  const requested = useRef(loaded.current);
  // What was asked for before that: a list of these that arrives yet is no longer what is wanted.
  const overtaken = useRef(new Set<string>());

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
    const newest = filterQuery((next ?? here).search);
    if (!overtaken.current.has(newest)) requested.current = newest;
    // A search that is not sent yet must not hold back somebody who is on the way to another page.
    if (next && next.pathname !== here.pathname) cancelTyping();
  }, [here, next]);

  // The list has arrived, or the address changed by other means (back button, a link): show what it says.
  useEffect(() => {
    if (timer.current !== undefined || overtaken.current.has(queryOf(state))) return;
    overtaken.current.clear();
    const { shown, ...filters } = state;
    const { search, minBudget, maxBudget } = latest.current;
    if (search.trim() === filters.search) filters.search = search;
    latest.current = typesBudget.current ? { ...filters, minBudget, maxBudget } : filters;
    setWanted(latest.current);
  }, [state]);

  useEffect(() => {
    // Going back means what was there before, not what was just being typed.
    const onBack = () => {
      cancelTyping();
      overtaken.current.clear();
      typesBudget.current = false;
      setErrors({});
    };
    window.addEventListener("popstate", onBack);
    return () => {
      cancelTyping();
      window.removeEventListener("popstate", onBack);
    };
  }, []);

  const go = (typing: boolean) => {
    cancelTyping();
    const { minBudget, maxBudget } = typesBudget.current ? state : latest.current;
    const search = latest.current.search.trim();
    const query = writeBrowseState({ ...latest.current, search, minBudget, maxBudget }).toString();
    if (query === requested.current) return;
    if (requested.current !== loaded.current) overtaken.current.add(requested.current);
    overtaken.current.delete(query);
    requested.current = query;
    const replace = query === loaded.current || (typing && new URLSearchParams(loaded.current).has("search"));
    void navigate({ search: query }, { replace, preventScrollReset: true });
  };

  /** Budgets count once they are whole, not figure by figure. Returns whether they are a possible range. */
  const applyBudgets = (): boolean => {
    const { minBudget, maxBudget } = latest.current;
    const range = { minBudget: typedAmount(minBudget), maxBudget: typedAmount(maxBudget) };
    const found = budgetErrors(range);
    setErrors(found);
    const isPossible = Object.keys(found).length === 0;
    if (isPossible) {
      typesBudget.current = false;
      want(range);
    }
    go(false);
    return isPossible;
  };

  return {
    wanted,
    errors,
    search: (search: string) => {
      want({ search });
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => go(true), DEBOUNCE_MS);
    },
    choose: (change: Partial<BrowseFilters>) => {
      want(change);
      applyBudgets();
    },
    typeBudget: (change: Partial<BrowseFilters>) => {
      typesBudget.current = true;
      setErrors({});
      want(change);
    },
    applyBudgets,
  };
}

/** The filters of an address in their one spelling, however they were written there. */
function filterQuery(search: string): string {
  return queryOf(readBrowseState(new URLSearchParams(search)));
}

function queryOf(filters: BrowseFilters): string {
  return writeBrowseState({ ...filters, shown: 0 }).toString();
}
