import * as z from "zod/mini";
import type { DirectoryEntry, DirectoryQuery } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import { jobsOf, NO_RATING, ratingsOf, suspendedOf } from "../../domain/people.ts";
import { containing, searchGrams } from "../../domain/text-search.ts";
import { type PageCall, readPage } from "../../http/pagination.ts";

type Listed = Pick<PersonDoc, "_id" | "name" | "image" | "profile" | "lastActiveOn">;

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
  const { search = "", language } = call.query;
  const page = await readPage(call, {
    list: `people ${search} ${language ?? ""}`,
    order,
    read: ({ after, limit }) =>
      database.people
        .aggregate<Listed>(directoryPlan({ search, language, after, limit }), READ_LIMITS)
        .toArray(),
  });
  const uids = page.map(({ _id }) => _id);
  const [ratings, jobs, suspended] = await Promise.all([
    ratingsOf(database, uids),
    jobsOf(database, uids),
    suspendedOf(database, uids),
  ]);
  return page
    .filter(({ _id }) => !suspended.has(_id))
    .map(({ _id: id, name, image, profile, lastActiveOn }) => {
      const { headline = "", skills = [], languages = [] } = profile ?? {};
      const { count = 0, ...prices } = jobs.get(id) ?? {};
      return {
        ...{ id, name, image, headline, skills, languages, lastActiveOn },
        rating: ratings.get(id) ?? NO_RATING,
        jobsCompleted: count,
        prices: "from" in prices ? prices : undefined,
      };
    });
}

type Listing = {
  search: string;
  language: string | undefined;
  after: readonly [string, string] | undefined;
  limit: number;
};

/** The aggregation for a page of the directory. An index gives its order, and the few people who may match. */
export function directoryPlan({ search, language, after, limit }: Listing) {
  const [day, id] = after ?? [];
  return [
    {
      $match: {
        "profile.version": { $exists: true },
        ...(language && { "profile.languages": language }),
        ...(search && matching(search)),
        ...(day !== undefined && { lastActiveOn: { $lte: day } }),
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
