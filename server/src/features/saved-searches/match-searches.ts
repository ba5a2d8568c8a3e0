import type { ObjectId } from "mongodb";
import { type CalendarDate, MAX_USD, type SavedFilters } from "../../contract/index.ts";
import type { SavedSearchDoc } from "../../db/documents/people.ts";
import { LISTED, takingBids } from "../../domain/task-conditions.ts";
import { literally, searchGrams } from "../../domain/text-search.ts";

/*
 * Reverse search. A saved search is indexed under its category, if any, and the likely rarest gram of its text (see `searchGrams`), if
 * any; every task whose title or skill contains the text has that gram. So a new task finds the few candidates by its own
 * category and grams, and the same rules for titles and budgets as in Browse decide, in the same query.
 */

/** The key that a saved search is found by, and its text as a regular expression. */
export function matchOf({ search, category }: SavedFilters): SavedSearchDoc["match"] {
  const [gram = ""] = search ? searchGrams(search) : [];
  return { key: `${category ?? ""}:${gram}`, pattern: literally(search ?? "") };
}

/**
 * The condition of each filter, on the search and its `$$task`; undefined for those that need none. Of a filter with
 * options: `{ $in: [{ $ifNull: ["$level", ""] }, ["", "$$task.level"]] }`.
 */
const CONDITIONS: Record<keyof SavedFilters, object | undefined> = {
  // Part of the key.
  category: undefined,
  minBudget: { $lte: [{ $toDouble: { $ifNull: ["$minBudget", "0"] } }, "$$task.budget"] },
  maxBudget: { $gte: [{ $toDouble: { $ifNull: ["$maxBudget", String(MAX_USD)] } }, "$$task.budget"] },
  clientRating: { $lte: [{ $toDouble: { $ifNull: ["$clientRating", "0"] } }, "$$task.clientRating"] },
  // New tasks always take bids.
  state: undefined,
  // Last, because it costs the most.
  search: {
    $anyElementTrue: {
      $map: {
        input: "$$task.texts",
        as: "text",
        in: { $regexMatch: { input: "$$text", regex: "$match.pattern", options: "i" } },
      },
    },
  },
};

/** A task and one saved search that it matches. */
export type Match = {
  _id: ObjectId;
  title: string;
  search: Pick<SavedSearchDoc, "_id" | "ownerId" | "name" | "mail">;
};

/**
 * Finds the saved searches that these tasks match, by task and person; a person's searches in order of how soon they
 * are emailed. Skips tasks that are hidden, unlisted or no longer take bids.
 */
export function matchPlan(ids: readonly ObjectId[], today: CalendarDate): object[] {
  const conditions = Object.values(CONDITIONS).filter((condition) => condition !== undefined);
  return [
    { $match: { _id: { $in: [...ids] }, ...takingBids(today), ...LISTED } },
    { $set: { texts: TEXTS, keys: KEYS, clientRating: { $ifNull: ["$clientRating", 0] } } },
    // Large, and no longer needed.
    { $unset: ["description", "titleGrams"] },
    {
      $lookup: {
        from: "savedSearches",
        localField: "keys",
        foreignField: "match.key",
        let: { task: "$$ROOT" },
        pipeline: [
          { $match: { paused: false, $expr: { $and: [IS_ANOTHERS, ...conditions] } } },
          { $project: { ownerId: 1, name: 1, mail: 1 } },
          // The email frequencies happen to sort alphabetically by how soon they are sent.
          { $sort: { ownerId: 1, mail: 1, _id: 1 } },
        ],
        as: "search",
      },
    },
    { $unwind: "$search" },
    { $project: { title: 1, search: 1 } },
  ];
}

const IS_ANOTHERS = { $ne: ["$ownerId", "$$task.ownerId"] };

/** The texts that a search looks at. */
const TEXTS = { $concatArrays: [["$title"], { $ifNull: ["$skills", []] }] };

/** Every key under which searches that match a task of this category and these grams may be indexed. */
const KEYS = {
  $reduce: {
    input: ["$category", ""],
    initialValue: [],
    in: {
      $concatArrays: [
        "$$value",
        {
          $map: {
            input: { $concatArrays: ["$titleGrams", [""]] },
            as: "gram",
            in: { $concat: ["$$this", ":", "$$gram"] },
          },
        },
      ],
    },
  },
};
