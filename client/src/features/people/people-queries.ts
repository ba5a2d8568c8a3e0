import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../lib/api.ts";
import { listQuery } from "../../lib/pages.ts";

const REVIEWS_PAGE_SIZE = 10;

/** A person's public profile. */
export function profileQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ["people", id, "profile"],
    queryFn: async () => (await api.call("GET /profiles/:id", { params: { id }, asVisitor: true })).data,
  });
}

/** Reviews of this person, newest first. */
export function reviewsQuery(api: Api, id: string) {
  return listQuery(["people", id, "reviews"], REVIEWS_PAGE_SIZE, (query) =>
    api.call("GET /profiles/:id/reviews", { params: { id }, query, asVisitor: true }),
  );
}

export const DIRECTORY_PAGE_SIZE = 24;

export type DirectoryFilters = { search: string; language: string };

const MAX_SEARCH = 120;

/** The directory's filters in a URL, without what cannot be searched for. */
export function directoryFilters(params: URLSearchParams): DirectoryFilters {
  const search = (params.get("search") ?? "").slice(0, MAX_SEARCH).replace(/\p{C}/gu, " ").trim();
  return { search, language: params.get("language") ?? "" };
}

/** A few people who name one of these skills, each with the first of them; those of the first skill come first. */
export function skilledPeopleQuery(api: Api, skills: readonly string[]) {
  const named = async (skill: string) => {
    const query = { search: skill, limit: "6" };
    const { data } = await api.call("GET /profiles", { query, asVisitor: true });
    return data.map((person) => ({ person, skill }));
  };
  return queryOptions({
    queryKey: ["people", "skilled", skills],
    queryFn: async () => {
      const found = (await Promise.all(skills.map(named))).flat();
      return found.filter(({ person }, at) => found.findIndex((one) => one.person.id === person.id) === at);
    },
  });
}

/** People who offer work, the most recently active first. */
export function directoryQuery(api: Api, filters: DirectoryFilters) {
  return listQuery(["people", "directory", filters], DIRECTORY_PAGE_SIZE, (page) =>
    api.call("GET /profiles", { query: { ...filters, ...page }, asVisitor: true }),
  );
}
