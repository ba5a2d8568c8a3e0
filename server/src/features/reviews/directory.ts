import * as z from "zod/mini";
import { type DirectoryEntry, type DirectoryQuery, MAX_USD, type PageQuery } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import { NO_RATING, suspendedOf } from "../../domain/people.ts";
import { containing, searchGrams } from "../../domain/text-search.ts";
import { type PageCall, readPage } from "../../http/pagination.ts";

type Listed = Pick<PersonDoc, "_id" | "name" | "image" | "profile" | "lastActiveOn" | "rating" | "jobs">;

const order = {
  key: z.tuple([z.string(), z.string()]),
  keyOf: ({ lastActiveOn, _id }: Listed): [string, string] => [lastActiveOn, _id],
};

/**
 * Lists people who offer work, the most recently active first. Suspended ones are left out after the page was read, so
 * it may be short.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listPeople(
  database: Database,
  call: PageCall<DirectoryQuery>,
): Promise<DirectoryEntry[]> {
  const { limit: _, cursor: _cursor, ...filters } = call.query;
  const page = await readPage(call, {
    list: `people ${JSON.stringify(filters)}`,
    order,
    read: ({ after, limit }) =>
      database.people.aggregate<Listed>(directoryPlan(filters, limit, after)).toArray(),
  });
  const suspended = await suspendedOf(
    database,
    page.map(({ _id }) => _id),
  );
  return page
    .filter(({ _id }) => !suspended.has(_id))
    .map(({ _id: id, name, image, profile, lastActiveOn, rating = NO_RATING, jobs }) => {
      const { headline = "", skills = [], languages = [] } = profile ?? {};
      return {
        ...{ id, name, image, headline, skills, languages, rating, lastActiveOn },
        jobsCompleted: jobs?.count ?? 0,
        categories: jobs?.categories ?? [],
        prices: jobs && { from: jobs.from, to: jobs.to },
      };
    });
}

/**
 * The aggregation for a page of the directory, after this day and uid. An index gives its order, and the few people who
 * may match.
 */
export function directoryPlan(
  { search, language, category, minRating, minPrice, maxPrice }: Omit<DirectoryQuery, keyof PageQuery>,
  limit: number,
  [day, id]: readonly [day?: string, id?: string] = [],
) {
  return [
    {
      $match: {
        "profile.version": { $exists: true },
        // The database uses an index's later fields only if its first one has a condition.
        lastActiveOn: day === undefined ? { $gt: "" } : { $lte: day },
        ...(language && { "profile.languages": language }),
        ...(category && { "jobs.categories": category }),
        ...(minRating && { "rating.average": { $gte: Number(minRating) } }),
        // Both, since the index of those with jobs is chosen by one of them.
        ...((minPrice || maxPrice) && {
          "jobs.to": { $gte: Number(minPrice ?? 0) },
          "jobs.from": { $lte: Number(maxPrice ?? MAX_USD) },
        }),
        ...(search && matching(search)),
      },
    },
    { $sort: { lastActiveOn: -1, _id: 1 } },
    ...(day === undefined
      ? []
      : [{ $match: { $or: [{ lastActiveOn: { $lt: day } }, { _id: { $gt: id } }] } }]),
    {
      $match: {
        notInDirectory: null,
        $or: [{ "profile.headline": { $ne: "" } }, { "profile.skills.0": { $exists: true } }],
      },
    },
    { $limit: limit },
    {
      $project: {
        name: 1,
        image: 1,
        lastActiveOn: 1,
        rating: 1,
        jobs: 1,
        "profile.headline": 1,
        "profile.skills": 1,
        "profile.languages": 1,
      },
    },
  ];
}

/** Whose name, headline or a skill contains the text, found by the gram of it that is probably the rarest. */
function matching(search: string) {
  const [gram] = searchGrams(search);
  return {
    $or: [
      { nameGrams: gram, ...containing(search, ["name"]) },
      { profileGrams: gram, ...containing(search, ["profile.headline", "profile.skills"]) },
    ],
  };
}
