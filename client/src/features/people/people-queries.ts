import { queryOptions } from "@tanstack/react-query";
import {
  CATEGORIES,
  type DirectoryEntry,
  type DirectoryQuery,
  MIN_RATINGS,
  PROFILE_LIMITS,
} from "@tasklane/server/contract";
import { type Choice, type FilterState, filterSet } from "../../lib/filters.ts";
import { languageOptions } from "../../lib/languages.ts";
import { apiOf, endpointQuery, listQuery } from "../../lib/queries.tsx";

const REVIEWS_PAGE_SIZE = 10;

/** A person's public profile. */
export const profileQuery = (id: string) =>
  endpointQuery(["people", id, "profile"], "GET /profiles/:id", { params: { id }, asVisitor: true });

/** Reviews of this person, newest first. */
export function reviewsQuery(id: string) {
  const request = { params: { id }, asVisitor: true };
  return listQuery(["people", id, "reviews"], REVIEWS_PAGE_SIZE, "GET /profiles/:id/reviews", request);
}

/** A few people who name one of these skills, each with the first of them; those of the first skill come first. */
export function skilledPeopleQuery(skills: readonly string[]) {
  return queryOptions({
    queryKey: ["people", "skilled", skills],
    queryFn: async ({ client }) => {
      const named = async (skill: string) => {
        const query = { search: skill, limit: "50" };
        const { data } = await apiOf(client).call("GET /profiles", { query, asVisitor: true });
        return data.filter((person) => names(person, skill)).map((person) => ({ person, skill }));
      };
      const found = (await Promise.all(skills.map(named))).flat();
      return found.filter(({ person }, at) => found.findIndex((one) => one.person.id === person.id) === at);
    },
  });
}

/** Whether somebody's headline or skills contain these words. The search finds names and parts of words, too: "art" in Martin. */
function names({ headline, skills }: DirectoryEntry, skill: string): boolean {
  return wordsOf([headline, ...skills].join(" ")).includes(wordsOf(skill));
}

const wordsOf = (text: string) =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu)
      ?.join(" ") ?? ""
  } `;

/** People who offer work, the most recently active first. */
export function directoryQuery(state: PeopleState) {
  const filters = peopleFilters.map((name) => state[name]);
  const request = { query: filters, asVisitor: true };
  return listQuery(["people", "directory", filters], peopleFilters.pageSize, "GET /profiles", request);
}

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
