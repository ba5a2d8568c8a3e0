import { ObjectId } from "mongodb";
import type { CalendarDate, Category } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import { type BidDoc, type TaskRow, taskRow } from "../../db/documents.ts";
import { READ_LIMITS } from "../../db/mongo.ts";
import { projectionOf } from "../../db/mongo-schema.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import { reviewedBy } from "../../db/reviews.ts";
import {
  type ListPlan,
  type Order,
  type Place,
  planCount,
  planFeatured,
  planGramCount,
  planList,
  type Selection,
} from "./task-list-plan.ts";
import { searchGrams } from "./task-search.ts";

/** How many tasks there are; `is` says whether that is all of them. */
export type Total = { count: number; is: "exact" | "estimate" | "at-least" };

/** Which tasks, in which order, from where, and at most how many. */
type Listing = { selection: Selection; order: Order; after?: Place | undefined; limit: number };

export type TaskQueries = ReturnType<typeof taskQueries>;

const ROW = projectionOf(taskRow);

/** Reads tasks. */
export function taskQueries(
  {
    tasks,
    bids,
    reviews,
    readTasks,
    hints,
  }: Pick<Database, "tasks" | "bids" | "reviews" | "readTasks" | "hints">,
  { read }: Pick<ReadCache, "read">,
) {
  /** The gram by which the index is read: the rarest of a few candidates, as the index itself counts them. */
  async function gramOf({ search, category, ownerId }: Selection): Promise<string | undefined> {
    if (search === undefined || ownerId !== undefined) return undefined;
    const [likely, ...others] = searchGrams(search);
    if (likely === undefined || others.length === 0) return likely;
    const least = await countGram(category, likely);
    if (least <= RARE_ENOUGH) return likely;
    const counts = [least, ...(await Promise.all(others.map((gram) => countGram(category, gram))))];
    return [likely, ...others][counts.indexOf(Math.min(...counts))];
  }

  function countGram(category: Category | undefined, gram: string): Promise<number> {
    const { filter, index } = planGramCount(category, gram);
    const options = { ...READ_LIMITS, limit: GRAM_COUNT_LIMIT };
    return hints.using("tasks", index, (hint) => tasks.countDocuments(filter, { ...options, ...hint }));
  }

  async function readRanges({ ranges, index }: ListPlan, limit: number): Promise<TaskRow[]> {
    const found = await Promise.all(
      ranges.map(({ filter, sort }) =>
        hints.using("tasks", index, (hint) =>
          readTasks<TaskRow>({ filter, sort, limit, projection: ROW, ...READ_LIMITS, ...hint }),
        ),
      ),
    );
    const [first = [], ...others] = found;
    return others.length === 0 ? first : found.flat().slice(0, limit);
  }

  async function count(selection: Selection): Promise<Total> {
    if (selection.isEverything) {
      // The collection's own record answers at once, however many there are.
      return { count: await tasks.estimatedDocumentCount(READ_LIMITS), is: "estimate" };
    }
    const { filter, index } = planCount(selection, await gramOf(selection));
    const { limit, maxTimeMS } = selection.search === undefined ? COUNT_LIMITS : SEARCH_COUNT_LIMITS;
    const options = { limit: limit + 1, maxTimeMS };
    const counted = await hints.using("tasks", index, (hint) =>
      tasks.countDocuments(filter, { ...options, ...hint }),
    );
    return counted > limit ? { count: limit, is: "at-least" } : { count: counted, is: "exact" };
  }

  return {
    /** Reads a page. */
    async list({ limit, ...listing }: Listing): Promise<TaskRow[]> {
      return readRanges(planList(listing, await gramOf(listing.selection)), limit);
    },

    /** How many of these tasks there are, on all pages, as far as that can be had cheaply. */
    count(selection: Selection): Promise<Total> {
      // The same for every page and visitor, so most pages find it counted.
      const allowStale = selection.ownerId === undefined;
      return read(`count ${JSON.stringify(selection.where)}`, () => count(selection), { allowStale });
    },

    /** Open tasks, most bids first, then the soonest deadline. */
    featured(today: CalendarDate, limit: number): Promise<TaskRow[]> {
      return readRanges(planFeatured(today), limit);
    },

    async find(id: string): Promise<TaskRow | null> {
      const filter = { _id: new ObjectId(id) };
      const [task = null] = await readTasks<TaskRow>({
        filter,
        limit: 1,
        projection: ROW,
        ...READ_LIMITS,
      });
      return task;
    },

    /** The bid of this person on the task. */
    findBid(taskId: string, bidderId: string): Promise<BidDoc | null> {
      return bids.findOne({ taskId: new ObjectId(taskId), bidderId }, READ_LIMITS);
    },

    /** Which of these tasks this person has reviewed. */
    reviewedBy: (uid: string, taskIds: readonly string[]) => reviewedBy({ reviews }, uid, taskIds),
  };
}

// A count reads every task it counts, at least in the index: nobody turns so many pages that more would tell them more.
const COUNT_LIMITS = { limit: 10_000, ...READ_LIMITS } as const;
// A search has to look into the tasks themselves.
const SEARCH_COUNT_LIMITS = { limit: 1_000, maxTimeMS: 300 } as const;
/** Beyond this a gram is frequent, and how frequent makes no difference. */
const GRAM_COUNT_LIMIT = 2_000;
/** To look at so many tasks costs no more than to look for a rarer gram. */
const RARE_ENOUGH = 100;
