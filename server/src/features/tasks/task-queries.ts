import { LRUCache } from "lru-cache";
import { ObjectId } from "mongodb";
import type { CalendarDate, Category, Sort } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import { type TaskRow, taskRow } from "../../db/documents/tasks.ts";
import { projectionOf } from "../../db/mongo-schema.ts";
import { type PersonNames, reviewedBy, withNames } from "../../db/people.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import { searchGrams } from "../../db/task-search.ts";
import {
  type ListPlan,
  type Narrowing,
  orderKey,
  type Place,
  planBudgetCount,
  planCount,
  planFeatured,
  planGramCount,
  planList,
  type Selection,
} from "./task-list-plan.ts";

/** How many tasks there are; `is` says whether that is all of them. */
export type Total = { count: number; is: "exact" | "estimate" | "at-least" };

/** Which tasks, in which order, from where, and at most how many. */
type Listing = { selection: Selection; order: Sort; after?: Place | undefined; limit: number };

export type TaskQueries = ReturnType<typeof taskQueries>;

const ROW = projectionOf(taskRow);

/** Reads tasks, with the names of now. */
export function taskQueries(
  {
    tasks,
    bids,
    reviews,
    readTasks,
    hints,
  }: Pick<Database, "tasks" | "bids" | "reviews" | "readTasks" | "hints">,
  { read }: Pick<ReadCache, "read">,
  names: PersonNames,
) {
  /** How many tasks an index has decides how a list is read, and not what is in it: a minute later it is as good. */
  const counted = new LRUCache<string, number>({ ...COUNTED, perf: { now: () => performance.now() } });

  /** What leaves the fewest tasks to look at, as the indexes count them. */
  async function narrowingOf(selection: Selection, order?: Sort): Promise<Narrowing> {
    const { search, category, ownerId, where } = selection;
    if (ownerId !== undefined) return {};
    const [gram, count] = search === undefined ? [] : await rarestGram(search, category, order);
    if (count !== undefined && count < FEW) return { gram, few: "gram" };
    if (where.budget === undefined || (order && orderKey(order) === "budget" && search === undefined))
      return { gram };
    const inRange = await countUpToFew(planBudgetCount(selection));
    return { gram, ...(inRange < FEW && { few: "budget" }) };
  }

  /** The rarest of a few candidates. How many tasks have it is counted only where that decides something. */
  async function rarestGram(
    search: string,
    category: Category | undefined,
    order: Sort | undefined,
  ): Promise<[gram?: string, count?: number]> {
    const countGram = (gram: string) => countUpToFew(planGramCount(category, gram));
    const [likely, ...others] = searchGrams(search);
    if (likely === undefined) return [];
    if (others.length === 0 && !(order && orderKey(order) === "budget")) return [likely];
    const least = await countGram(likely);
    if (least <= RARE_ENOUGH) return [likely, least];
    const counts = [least, ...(await Promise.all(others.map(countGram)))];
    const rarest = Math.min(...counts);
    return [[likely, ...others][counts.indexOf(rarest)] ?? likely, rarest];
  }

  async function countUpToFew({ filter, index }: ReturnType<typeof planCount>): Promise<number> {
    const key = JSON.stringify(filter);
    const known = counted.get(key);
    if (known !== undefined) return known;
    const options = { ...READ_LIMITS, limit: FEW };
    const count = await hints.using("tasks", index, (hint) =>
      tasks.countDocuments(filter, { ...options, ...hint }),
    );
    counted.set(key, count);
    return count;
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
    return withNames(names, others.length === 0 ? first : found.flat().slice(0, limit));
  }

  async function count(selection: Selection): Promise<Total> {
    if (selection.isEverything) {
      // The collection's own record answers at once, however many there are.
      return { count: await tasks.estimatedDocumentCount(READ_LIMITS), is: "estimate" };
    }
    const { filter, index } = planCount(selection, await narrowingOf(selection));
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
      const { selection, order } = listing;
      return readRanges(planList(listing, await narrowingOf(selection, order)), limit);
    },

    /** How many of these tasks there are, on all pages, as far as that can be had cheaply. */
    count(selection: Selection): Promise<Total> {
      // The same for every page and visitor, so most pages find it counted.
      const allowStale = selection.ownerId === undefined;
      const options = { allowStale, bidsOf: () => [] };
      return read(`count ${JSON.stringify(selection.where)}`, () => count(selection), options);
    },

    /** Open tasks, most bids first, then the soonest deadline. */
    featured(today: CalendarDate, limit: number): Promise<TaskRow[]> {
      return readRanges(planFeatured(today), limit);
    },

    async find(id: string): Promise<TaskRow | null> {
      const filter = { _id: new ObjectId(id) };
      const found = await readTasks<TaskRow>({ filter, limit: 1, projection: ROW, ...READ_LIMITS });
      const [task = null] = await withNames(names, found);
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

const COUNTED = { max: 2_000, ttl: 60_000 } as const;
// A count reads every task it counts, at least in the index: nobody turns so many pages that more would tell them more.
const COUNT_LIMITS = { limit: 10_000, ...READ_LIMITS } as const;
// A search has to look into the tasks themselves.
const SEARCH_COUNT_LIMITS = { limit: 1_000, maxTimeMS: 300 } as const;
/** So many tasks are read and sorted as quickly as a page is found among all others. Beyond that a gram is frequent. */
const FEW = 2_000;
/** To look at so many tasks costs no more than to look for a rarer gram. */
const RARE_ENOUGH = 100;
