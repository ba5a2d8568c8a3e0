import type { ObjectId } from "mongodb";
import { type CalendarDate, MAX_USD, type NoFiltersLeft, type SavedFilters } from "../../contract/index.ts";
import type { SavedSearchDoc } from "../../db/documents/people.ts";
import { takingBids, VISIBLE } from "../../db/task-conditions.ts";
import { searchGrams, titlePattern } from "../../db/task-search.ts";

/*
 * Search the other way round. A saved search stands in its index under its category, or none, and the likely rarest gram
 * of its text, or none; a task whose title contains the text has that gram. So a new task finds the few that may match
 * by its own category and grams, and Browse's own rule for titles and budgets decides, in the same query.
 */

/** What a saved search is found by, and what decides. */
export function matchOf(filters: SavedFilters): SavedSearchDoc["match"] {
  // Whatever is new takes bids: `state` leaves nobody out.
  const { search, category, minBudget, maxBudget, state: _state, ...forgotten } = filters;
  forgotten satisfies NoFiltersLeft;
  const [gram = ""] = search ? searchGrams(search) : [];
  return {
    key: `${category ?? ""}:${gram}`,
    pattern: titlePattern(search ?? ""),
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
 * Finds the saved searches that these tasks match, task by task and person by person; of several of one person first the
 * one that is emailed soonest. Only of tasks that are yet to be told of, can be seen and take bids.
 */
export function matchPlan(ids: readonly ObjectId[], today: CalendarDate): object[] {
  const isNew = { _id: { $in: [...ids] }, alertsDueAt: { $exists: true } };
  const rule = [
    { $ne: ["$ownerId", "$$ownerId"] },
    { $lte: ["$match.minBudget", "$$budget"] },
    { $gte: ["$match.maxBudget", "$$budget"] },
    { $regexMatch: { input: "$$title", regex: "$match.pattern", options: "i" } },
  ];
  return [
    { $match: { ...isNew, ...takingBids(today), ...VISIBLE } },
    { $project: { title: 1, budget: 1, ownerId: 1, keys: KEYS } },
    {
      $lookup: {
        from: "savedSearches",
        localField: "keys",
        foreignField: "match.key",
        let: { title: "$title", budget: "$budget", ownerId: "$ownerId" },
        pipeline: [
          { $match: { paused: false, $expr: { $and: rule } } },
          { $project: { ownerId: 1, name: 1, mail: 1 } },
          // The names of the choices are in that order.
          { $sort: { ownerId: 1, mail: 1, _id: 1 } },
        ],
        as: "search",
      },
    },
    { $unwind: "$search" },
    { $project: { title: 1, search: 1 } },
  ];
}

/** Every key that a search may stand under which a task of this category with these grams matches. */
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
