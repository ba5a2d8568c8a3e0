import { boundError, isPlainLine, isRange, rangeError } from "@tasklane/server/contract";
import { shownCount } from "./pages.ts";

type Options = readonly (readonly [value: string, text: string])[];

/** What a filter with fixed options is called, and its options, the default first. */
export type Choice = {
  label: string;
  options: Options;
  /** These replace the default while a text is searched for. */
  inSearch?: Options;
};

type Config<N extends string> = {
  /** The filters besides the text to search for, in the order of the URL and of the bar; null for an amount. */
  filters: Record<N, Choice | null>;
  /** The field for the text to search for, `search` in the URL. */
  search: { label: string; placeholder: string; maxLength: number };
  /** Two of the filters are amounts in USD: the lowest and the highest of this, such as "budget". */
  range: { legend: string; what: string; lowest: NoInfer<N>; highest: NoInfer<N> };
  /** Items per "Load more". */
  pageSize: number;
};

/** The values of a list's filters; an empty one is the default. */
export type FilterValues<N extends string> = Record<N | "search", string>;

/** The state in a filtered list's URL. */
export type FilterState<N extends string> = FilterValues<N> & {
  shown: number;
  /** Why the range is invalid. Its values are kept, but nothing is requested with them. */
  error?: string;
};

export type FilterSet<N extends string> = ReturnType<typeof filterSet<N>>;

/** Longer than any amount. */
const MAX_AMOUNT_LENGTH = 20;

/** The filters of a list, whose values are in the URL. */
export function filterSet<N extends string>(config: Config<N>) {
  const { filters, search, range, pageSize } = config;
  const { what, lowest, highest } = range;
  const others = Object.keys(filters) as N[];
  const names = ["search" as const, ...others];
  const map = (value: (name: N | "search") => string) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as FilterValues<N>;
  const isAmount = (name: N | "search") => name === lowest || name === highest;
  const choices = others.flatMap((name) => {
    const choice = filters[name];
    return choice ? [{ name, choice }] : [];
  });

  /** The API's validation messages for a range as it is typed, by field; empty if it is valid. */
  function errors(typed: Record<N, string>): { [name in N]?: string } {
    const [from, to] = [normalizeAmount(typed[lowest]), normalizeAmount(typed[highest])];
    const wrong = [
      [lowest, from && boundError(`lowest ${what}`, from)],
      [highest, to && boundError(`highest ${what}`, to)],
    ].filter(([, error]) => error);
    if (wrong.length === 0 && !isRange(from, to)) wrong.push([lowest, rangeError(what)]);
    return Object.fromEntries(wrong);
  }

  return {
    ...config,
    map,
    names,
    choices,
    errors,
    none: map(() => ""),

    /** Reads the URL's query. It may be typed or pasted, so an invalid option counts as no filter. */
    read(params: URLSearchParams): FilterState<N> {
      const values = map((name) => {
        const text = params.get(name);
        if (!text) return "";
        if (name === "search") return sanitizeSearch(text, search.maxLength);
        if (isAmount(name)) return normalizeAmount(text.slice(0, MAX_AMOUNT_LENGTH));
        const choice = filters[name];
        return choice && optionsOf(choice, params.get("search")).some(([value]) => value === text)
          ? text
          : "";
      });
      const [error] = Object.values<string | undefined>(errors(values));
      return { ...values, shown: shownCount(params, pageSize), ...(error && { error }) };
    },

    /** The URL query for these values and this number of shown items, without defaults. */
    write(values: FilterValues<N>, shown = 0): URLSearchParams {
      const params = new URLSearchParams();
      for (const name of names) {
        const value = values[name];
        if (value) params.set(name, isAmount(name) ? normalizeAmount(value) : value);
      }
      if (shown > pageSize) params.set("shown", String(shown));
      return params;
    },

    /** How many filters other than the search text are set; a range counts as one. */
    countActive(values: Record<N, string>): number {
      const active = others.filter((name) => values[name] !== "");
      return active.length - Number(active.includes(lowest) && active.includes(highest));
    },
  };
}

/** A filter's options beside this search text. */
export function optionsOf({ options, inSearch }: Choice, search: string | null): Options {
  return search && inSearch ? [...inSearch, ...options.slice(1)] : options;
}

/** Strips what people type into an amount, such as `$1,200` or `1 200`, for the API: `1200`. */
function normalizeAmount(text: string): string {
  return text.replace(/[$,\s]/gu, "");
}

/** Removes what the API would reject, such as invisible characters; letters with their marks are one character, as it stores them. */
export function sanitizeSearch(text: string, maxLength: number): string {
  return [...text].filter(isPlainLine).slice(0, maxLength).join("").normalize("NFC").trim();
}
