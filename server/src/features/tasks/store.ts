import type { ObjectId } from "mongodb";
import type { CalendarDate, Category } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import { SHOWN_TASK, type TaskDoc } from "../../db/documents/tasks.ts";
import { createReadCache, type ReadCache } from "../../db/read-cache.ts";
import { reviewedBy, withNames } from "../../domain/people.ts";
import {
  type ListPlan,
  type Narrowing,
  type Order,
  orderKey,
  type Place,
  planBudgetCount,
  planCount,
  planFeatured,
  planKeyCount,
  planList,
  planUnlistedCount,
  type SearchPart,
  type Selection,
} from "./task-list-plan.ts";

/** A number of tasks; `is` says how exact it is. */
export type Total = { count: number; is: "exact" | "estimate" | "at-least" };

/** The parts of a list, which is in this order within each: one, or those of a search that lists its best matches. */
export type ListParts = { order: Order; parts: readonly { part: SearchPart; selection: Selection }[] };

/** A task in a list, and the part that it is in. */
export type ListedRow = TaskDoc & { part?: SearchPart };

export type TaskQueries = ReturnType<typeof taskQueries>;

/** Reads tasks, with people's current names. */
export function taskQueries(database: Database, readCache: ReadCache) {
  const { tasks, readTasks } = database;
  /** Counts only decide how a list is read, never its content, so they may be a minute old. */
  const recentCount = createReadCache(COUNTS_MS);

  /** Finds what leaves the fewest tasks to read, by counting in the indexes. */
  async function narrowingOf(selection: Selection, order?: Order): Promise<Narrowing> {
    const { category, where } = selection;
    if (where.ownerId !== undefined) return {};
    const byBudget = order && orderKey(order) === "budget";
    const rarest = await Promise.all(selection.keys.map((keys) => rarestKey(keys, category, byBudget)));
    const keys = rarest.length > 0 ? rarest.map(({ key }) => key) : undefined;
    if (keys && rarest.reduce((sum, { count }) => sum + count, 0) < FEW) return { keys, few: "keys" };
    if (where.budget === undefined || (byBudget && !keys)) return { keys };
    const inRange = await countUpToFew(planBudgetCount(selection));
    return { keys, ...(inRange < FEW && { few: "budget" }) };
  }

  /** The rarest of these keys. Tasks are only counted if the number makes a difference. */
  async function rarestKey(
    [likely = "", ...others]: readonly string[],
    category: Category | undefined,
    byBudget: boolean | undefined,
  ): Promise<{ key: string; count: number }> {
    const count = (key: string) => countUpToFew(planKeyCount(category, key));
    if (others.length === 0 && !byBudget) return { key: likely, count: FEW };
    const least = await count(likely);
    if (least <= RARE_ENOUGH) return { key: likely, count: least };
    const counts = [least, ...(await Promise.all(others.map(count)))];
    const rarest = Math.min(...counts);
    return { key: [likely, ...others][counts.indexOf(rarest)] ?? likely, count: rarest };
  }

  const countUpToFew = ({ filter, index }: ReturnType<typeof planCount>) =>
    recentCount(JSON.stringify(filter), () => tasks.countDocuments(filter, { limit: FEW, hint: index }));

  async function readRanges({ ranges, index }: ListPlan, limit: number): Promise<TaskDoc[]> {
    const found = await Promise.all(
      ranges.map((range) => readTasks({ ...range, limit, projection: SHOWN_TASK, hint: index })),
    );
    const [first = [], ...others] = found;
    return others.length === 0 ? first : found.flat().slice(0, limit);
  }

  async function count(selection: Selection): Promise<Total> {
    if (selection.isEverything) {
      // Taken from the collection's metadata, so it is fast however many tasks there are.
      return { count: await tasks.estimatedDocumentCount(), is: "estimate" };
    }
    const { filter, index } = planCount(selection, await narrowingOf(selection));
    const { limit, ...time } = selection.keys.length === 0 ? COUNT_LIMITS : SEARCH_COUNT_LIMITS;
    const options = { limit: limit + 1, ...time };
    const unlisted = planUnlistedCount(selection);
    const [all, hidden] = await Promise.all([
      tasks.countDocuments(filter, { ...options, hint: index }),
      selection.ownerId === undefined
        ? tasks.countDocuments(unlisted.filter, { ...options, hint: unlisted.index })
        : 0,
    ]);
    return all > limit ? { count: limit, is: "at-least" } : { count: all - hidden, is: "exact" };
  }

  return {
    /** Reads at most `limit` tasks of a list, after this place. */
    async list({ order, parts }: ListParts, limit: number, after?: Place): Promise<ListedRow[]> {
      const rows: ListedRow[] = [];
      const first = Math.max(
        0,
        parts.findIndex(({ part }) => part === after?.part),
      );
      for (const { part, selection } of parts.slice(first)) {
        const plan = planList(
          { selection, order, after: part === after?.part ? after : undefined },
          await narrowingOf(selection, order),
        );
        const found = await readRanges(plan, limit - rows.length);
        rows.push(...found.map((row) => ({ ...row, part })));
        if (rows.length === limit) break;
      }
      return withNames(database, rows);
    },

    /** Counts the selected tasks on all pages, as exactly as is cheap. */
    count(selection: Selection): Promise<Total> {
      if (selection.ownerId !== undefined) return count(selection);
      // Equal for every page and visitor, so most requests find it in the cache.
      return readCache(`count ${JSON.stringify(selection.where)}`, () => count(selection));
    },

    /** Open tasks, most bids first, then the soonest deadline. */
    async featured(today: CalendarDate, limit: number): Promise<TaskDoc[]> {
      return withNames(database, await readRanges(planFeatured(today), limit));
    },

    /** Which of these tasks this person has already reviewed. */
    reviewedBy: (uid: string, taskIds: readonly ObjectId[]) => reviewedBy(database, uid, taskIds),
  };
}

const COUNTS_MS = 60_000;
// A count reads at least an index entry for every task, and nobody turns enough pages to need a higher figure.
const COUNT_LIMITS: { limit: number; maxTimeMS?: number } = { limit: 10_000 };
// A search also has to read the tasks themselves.
const SEARCH_COUNT_LIMITS = { limit: 1_000, maxTimeMS: 300 } as const;
/** Up to this number it is as fast to read and sort all matching tasks as to find a page in index order. */
const FEW = 2_000;
/** Reading this many tasks costs no more than finding a rarer gram. */
const RARE_ENOUGH = 100;
