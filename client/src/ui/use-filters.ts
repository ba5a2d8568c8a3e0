import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router-dom";
import type { FilterSet, FilterValues } from "../lib/filters.ts";

/** The search runs after typing has paused for this long, in ms. */
export const DEBOUNCE_MS = 250;
/** The same for amounts, whose digits take longer to think of. */
export const AMOUNT_DEBOUNCE_MS = 600;

export type Filters<N extends string> = ReturnType<typeof useFilters<N>>;

/**
 * The filters of a list while a person edits them. The URL holds the applied ones: choosing an option and starting a search push a
 * history entry, further typing replaces it, so that Back undoes choices and searches but not keystrokes.
 */
export function useFilters<N extends string>(set: FilterSet<N>) {
  type Values = FilterValues<N>;
  const navigate = useNavigate();
  const here = useLocation();
  const { location: next = here } = useNavigation();
  const isLeaving = next.pathname !== here.pathname;
  // The filters of the list on the screen, and of the newest one that was asked for, which may still be loading.
  const loaded = filterQuery(set, here.search);
  const newest = isLeaving ? loaded : filterQuery(set, next.search);
  const applied = set.read(new URLSearchParams(newest));
  // What is not applied yet, or is written in another way than in the URL, such as with a space at the end.
  const [typed, setTyped] = useState<Partial<Values>>({});
  const values: Values = { ...applied, ...typed };
  const [typing, setTyping] = useState<keyof Values>();
  const [isReported, setIsReported] = useState(true);
  // What these controls have asked for since the last list that they asked for has arrived.
  const [asked, setAsked] = useState<readonly string[]>([]);

  const forgetTyped = () => {
    setTyped({});
    setTyping(undefined);
    setIsReported(true);
    setAsked([]);
  };
  const [before, setBefore] = useState(newest);
  if (newest !== before) {
    setBefore(newest);
    if (newest === asked.at(-1)) setAsked([newest]);
    // The URL has changed in another way, such as by a link.
    else if (!asked.includes(newest) && !typing) forgetTyped();
  }
  const onBack = useEffectEvent(forgetTyped);
  useEffect(() => {
    const listen = () => onBack();
    window.addEventListener("popstate", listen);
    return () => window.removeEventListener("popstate", listen);
  }, []);

  /**
   * Applies the filters, with the range of amounts only if it is valid. Returns whether it is.
   * @param name the filter being typed in, if any.
   */
  const apply = (change: Partial<Values> = {}, name = ""): boolean => {
    const filters = { ...values, ...change };
    const isValid = Object.keys(set.errors(filters)).length === 0;
    const { lowest, highest } = set.range;
    const range = isValid ? {} : { [lowest]: applied[lowest], [highest]: applied[highest] };
    const state: Values = { ...filters, search: filters.search.trim(), ...range };
    const query = set.write(state).toString();
    setTyping(undefined);
    if (query !== (asked.at(-1) ?? newest)) {
      setAsked([...asked, query]);
      const replace = query === loaded || new URLSearchParams(loaded).has(name);
      void navigate({ search: query }, { replace, preventScrollReset: true });
    }
    return isValid;
  };
  const applyTyped = useEffectEvent(() => apply({}, typing));
  useEffect(() => {
    // It must not cancel a navigation to another page.
    if (!typing || isLeaving) return;
    const pause = typing === "search" ? DEBOUNCE_MS : AMOUNT_DEBOUNCE_MS;
    const timer = window.setTimeout(() => applyTyped(), pause);
    return () => window.clearTimeout(timer);
  }, [typing, typed, isLeaving]);

  return {
    values,
    errors: isReported ? set.errors(values) : ({} as ReturnType<typeof set.errors>),
    search: (search: string) => {
      setTyped({ ...typed, search });
      setTyping("search");
    },
    choose: (change: Partial<Values>) => {
      setTyped({ ...typed, ...change });
      setIsReported(true);
      apply(change);
    },
    typeAmount: (change: Partial<Values>) => {
      setTyped({ ...typed, ...change });
      setTyping(Object.keys(change)[0] as keyof Values);
      setIsReported(false);
    },
    /** Applies the range of amounts if it is valid, and otherwise reports that. */
    applyRange: () => {
      setIsReported(true);
      return apply();
    },
  };
}

/** The URL query in canonical form, so that queries can be compared. */
function filterQuery<N extends string>(set: FilterSet<N>, search: string): string {
  return set.write(set.read(new URLSearchParams(search))).toString();
}
