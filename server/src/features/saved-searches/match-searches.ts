import type { ObjectId } from "mongodb";
import { type CalendarDate, MAX_USD, type NoFiltersLeft, type SavedFilters } from "../../contract/index.ts";
import type { SavedSearchDoc } from "../../db/documents/people.ts";
import { LISTED, takingBids } from "../../domain/task-conditions.ts";
import { literally, searchGrams } from "../../domain/text-search.ts";

/*
 * Reverse search. A saved search is indexed under its category, if any, and the likely rarest gram of its text (see `searchGrams`), if
 * any; every task whose title or skill contains the text has that gram. So a new task finds the few candidates by its own
 * category and grams, and the same rules for titles and budgets as in Browse decide, in the same query.
 */

/** The key that a saved search is found by, and the conditions that a task must meet. */
export function matchOf(filters: SavedFilters): SavedSearchDoc["match"] {
  // New tasks always take bids, so `state` excludes none.
  const { search, category, minBudget, maxBudget, state: _state, ...unhandled } = filters;
  unhandled satisfies NoFiltersLeft;
  const [gram = ""] = search ? searchGrams(search) : [];
  return {
    key: `${category ?? ""}:${gram}`,
    pattern: literally(search ?? ""),
    minBudget: Number(minBudget ?? 0),
    maxBudget: Number(maxBudget ?? MAX_USD),
  };
}

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
  const rule = [
    { $ne: ["$ownerId", "$$ownerId"] },
    { $lte: ["$match.minBudget", "$$budget"] },
    { $gte: ["$match.maxBudget", "$$budget"] },
    {
      $anyElementTrue: {
        $map: {
          input: "$$texts",
          as: "text",
          in: { $regexMatch: { input: "$$text", regex: "$match.pattern", options: "i" } },
        },
      },
    },
  ];
  return [
    { $match: { _id: { $in: [...ids] }, ...takingBids(today), ...LISTED } },
    { $project: { title: 1, texts: TEXTS, budget: 1, ownerId: 1, keys: KEYS } },
    {
      $lookup: {
        from: "savedSearches",
        localField: "keys",
        foreignField: "match.key",
        let: { texts: "$texts", budget: "$budget", ownerId: "$ownerId" },
        pipeline: [
          { $match: { paused: false, $expr: { $and: rule } } },
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
