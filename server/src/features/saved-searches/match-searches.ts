import type { ObjectId } from "mongodb";
import { type CalendarDate, type EmailFrequency, MAX_USD, type SavedFilters } from "../../contract/index.ts";
import type { SavedSearchDoc } from "../../db/documents/people.ts";
import { LISTED, takingBids } from "../../domain/task-conditions.ts";
import { literally, searchGrams, searchWords } from "../../domain/text-search.ts";

/*
 * Reverse search. A saved search is indexed under its category, if any, and, if it has a text, the likely rarest gram and
 * word of that; every task that the text is found in has one of them (see `searchKeysOf`). So a new task finds the few
 * candidates by its own category and keys, and the same rules as in Browse decide, in the same query.
 */

/** The keys that a saved search is found by, and its text as a regular expression and as words. */
export function matchOf({ search = "", category }: SavedFilters): SavedSearchDoc["match"] {
  const words = searchWords(search);
  const keys = search === "" ? [""] : [...searchGrams(search).slice(0, 1), ...words.slice(0, 1)];
  return { keys: keys.map((key) => `${category ?? ""}:${key}`), pattern: literally(search), words };
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
    $or: [
      {
        $anyElementTrue: {
          $map: {
            input: "$$task.texts",
            as: "text",
            in: { $regexMatch: { input: "$$text", regex: "$match.pattern", options: "i" } },
          },
        },
      },
      { $and: [{ $ne: ["$match.words", []] }, { $setIsSubset: ["$match.words", "$$task.words"] }] },
    ],
  },
};

/** A task and one saved search that it matches. */
export type Match = {
  _id: ObjectId;
  title: string;
  search: Pick<SavedSearchDoc, "_id" | "ownerId" | "name" | "mail">;
};

/**
 * Finds the saved searches emailed this often that these tasks match. Skips tasks that are hidden, unlisted or no longer
 * take bids.
 */
export function matchPlan(ids: readonly ObjectId[], mail: EmailFrequency, today: CalendarDate): object[] {
  const conditions = Object.values(CONDITIONS).filter((condition) => condition !== undefined);
  return [
    { $match: { _id: { $in: [...ids] }, ...takingBids(today), ...LISTED } },
    { $set: { texts: TEXTS, words: WORDS, keys: KEYS, clientRating: { $ifNull: ["$clientRating", 0] } } },
    // Large, and no longer needed.
    { $unset: "description" },
    {
      $lookup: {
        from: "savedSearches",
        localField: "keys",
        foreignField: "match.keys",
        let: { task: "$$ROOT" },
        pipeline: [
          { $match: { paused: false, mail, $expr: { $and: [IS_ANOTHERS, ...conditions] } } },
          { $project: { ownerId: 1, name: 1, mail: 1 } },
        ],
        as: "search",
      },
    },
    { $unwind: "$search" },
    { $project: { title: 1, search: 1 } },
  ];
}

const IS_ANOTHERS = { $ne: ["$ownerId", "$$task.ownerId"] };

/** The texts that may contain a search's text. */
const TEXTS = { $concatArrays: [["$title"], { $ifNull: ["$skills", []] }] };

/** The words of the description: with the grams among them, comparing a candidate would take twice as long. */
const WORDS = {
  $filter: { input: "$searchKeys", as: "key", cond: { $eq: [{ $substrCP: ["$$key", 0, 5] }, "word:"] } },
};

/** Every key under which searches that match a task of this category and with these keys may be indexed. */
const KEYS = {
  $reduce: {
    input: ["$category", ""],
    initialValue: [],
    in: {
      $concatArrays: [
        "$$value",
        {
          $map: {
            input: { $concatArrays: ["$searchKeys", [""]] },
            as: "key",
            in: { $concat: ["$$this", ":", "$$key"] },
          },
        },
      ],
    },
  },
};
