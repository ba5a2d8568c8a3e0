import { CATEGORIES, type DirectoryQuery, MIN_RATINGS, PROFILE_LIMITS } from "@tasklane/server/contract";
import { type Choice, type FilterState, filterSet } from "../../lib/filters.ts";
import { languageOptions } from "../../lib/languages.ts";

/** The parameters of the API's query that people choose, besides the search. The URL uses the same names. */
type FilterName = Exclude<keyof DirectoryQuery, "search" | "limit" | "cursor">;

/** The state in the URL of the directory. */
export type PeopleState = FilterState<FilterName>;

const FILTERS: Record<FilterName, Choice | null> = {
  category: {
    label: "Category of jobs done",
    options: [["", "All categories"], ...CATEGORIES.map((category) => [category, category] as const)],
  },
  minPrice: null,
  maxPrice: null,
  minRating: {
    label: "Rating",
    options: [["", "Any rating"], ...MIN_RATINGS.map((stars) => [stars, `${stars} stars and up`] as const)],
  },
  language: {
    label: "Language",
    // Not named and sorted before they are shown, since other pages load this module, too.
    get options() {
      return [["", "Any language"] as const, ...languageOptions()];
    },
  },
};

/** The filters of the directory of people. */
export const peopleFilters = filterSet({
  filters: FILTERS,
  search: { label: "Name or skill", placeholder: "Name or skill", maxLength: PROFILE_LIMITS.headline },
  range: { legend: "Price of jobs done", what: "price", lowest: "minPrice", highest: "maxPrice" },
  pageSize: 24,
});
