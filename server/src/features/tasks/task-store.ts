import { MongoServerError, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { CalendarDate, Category, TaskDraft } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { BidDoc, TaskDoc } from "../../db/collections.ts";
import { READ_LIMITS } from "../../db/mongo.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import type { Order, Place } from "./task-query.ts";
import {
  type ListPlan,
  planCount,
  planFeatured,
  planGramCount,
  planList,
  type TaskChoice,
  type TaskListing,
} from "./task-query.ts";
import { searchGrams, titleGrams } from "./title-grams.ts";

/** A task as it is read: without what only the database needs. */
export type TaskRow = Omit<TaskDoc, "updatedAt" | "grams2" | "bidsRevision">;

/** How many tasks there are; `is` says whether that is all of them. */
export type Total = { count: number; is: "exact" | "estimate" | "at-least" };

export type TaskStore = ReturnType<typeof taskStore>;

/** Reads tasks, and stores new ones. */
export function taskStore(
  database: Pick<Database, "tasks" | "bids" | "reviews" | "readTasks" | "hints" | "write">,
  { read, invalidateAfter }: ReadCache,
) {
  const { tasks, bids, reviews, readTasks, hints, write } = database;
  /** The gram by which the index is read: the rarest of a few candidates, as the index itself counts them. */
  async function gramOf({ search, category, ownerId }: TaskChoice): Promise<string | undefined> {
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
          readTasks<TaskRow>({ filter, sort, limit, projection: TASK_PROJECTION, ...READ_LIMITS, ...hint }),
        ),
      ),
    );
    const [first = [], ...others] = found;
    return others.length === 0 ? first : found.flat().slice(0, limit);
  }

  async function count(choice: TaskChoice): Promise<Total> {
    if (Object.values(choice).every((value) => value === undefined)) {
      // The collection's own record answers at once, however many there are.
      return { count: await tasks.estimatedDocumentCount(READ_LIMITS), is: "estimate" };
    }
    const { filter, index } = planCount(choice, await gramOf(choice));
    const { limit, maxTimeMS } = choice.search === undefined ? COUNT_LIMITS : SEARCH_COUNT_LIMITS;
    const options = { limit: limit + 1, maxTimeMS };
    const counted = await hints.using("tasks", index, (hint) =>
      tasks.countDocuments(filter, { ...options, ...hint }),
    );
    return counted > limit ? { count: limit, is: "at-least" } : { count: counted, is: "exact" };
  }

  return {
    /** Reads a page. */
    async list(listing: TaskListing): Promise<TaskRow[]> {
      return readRanges(planList(listing, await gramOf(listing)), listing.limit);
    },

    /** How many tasks there are of this choice, on all pages, as far as that can be had cheaply. */
    total(choice: TaskChoice): Promise<Total> {
      // The same for every page and visitor, so most pages find it counted.
      const allowStale = choice.ownerId === undefined;
      return read(`total ${JSON.stringify(choice)}`, () => count(choice), { allowStale });
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
        projection: TASK_PROJECTION,
        ...READ_LIMITS,
      });
      return task;
    },

    /** The bid of this person on the task. */
    findBid(taskId: string, bidderId: string): Promise<BidDoc | null> {
      return bids.findOne({ taskId: new ObjectId(taskId), bidderId }, READ_LIMITS);
    },

    async hasReviewed(taskId: string, authorId: string): Promise<boolean> {
      const filter = { taskId: new ObjectId(taskId), authorId };
      return (await reviews.findOne(filter, { ...READ_LIMITS, projection: { _id: 1 } })) !== null;
    },

    /** @returns its id. */
    async insert(draft: TaskDraft, owner: User, now: Date): Promise<string> {
      const _id = new ObjectId();
      const task: TaskDoc = {
        _id,
        ...formFields(draft),
        ...(draft.showEmail === false && { showEmail: false }),
        ownerId: owner.uid,
        email: owner.email,
        name: owner.name,
        ...(owner.picture && { clientImage: owner.picture }),
        bidsCount: 0,
        createdAt: now,
        updatedAt: now,
        revision: 0,
      };
      return invalidateAfter(() =>
        write(async (session) => {
          await tasks.insertOne(task, { ...(session && { session }) });
          return _id.toHexString();
        }),
      );
    },
  };
}

/** Did the database stop this read because it took too long? */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

const MAX_TIME_EXPIRED = 50;

/** A read that takes longer is stopped by the database. */

// A count reads every task it counts, at least in the index: nobody turns so many pages that more would tell them more.
const COUNT_LIMITS = { limit: 10_000, ...READ_LIMITS } as const;
// A search has to look into the tasks themselves.
const SEARCH_COUNT_LIMITS = { limit: 1_000, maxTimeMS: 300 } as const;
/** Beyond this a gram is frequent, and how frequent makes no difference. */
const GRAM_COUNT_LIMIT = 2_000;
/** To look at so many tasks costs no more than to look for a rarer gram. */
const RARE_ENOUGH = 100;

// Named one by one: grams and whatever else a task may hold one day stay in the database.
export const TASK_PROJECTION = {
  title: 1,
  category: 1,
  description: 1,
  deadline: 1,
  budget: 1,
  ownerId: 1,
  email: 1,
  name: 1,
  clientImage: 1,
  bidsCount: 1,
  createdAt: 1,
  revision: 1,
  state: 1,
  hidden: 1,
  showEmail: 1,
  award: 1,
  voidedAwards: 1,
  wasAwarded: 1,
} as const satisfies Record<Exclude<keyof TaskRow, "_id">, 1>;

/** The key by which a task stands in a list of that order, as text. */
export function placeOf(task: TaskRow, order: Order): Place {
  const key = order === "newest" ? task.createdAt.toISOString() : task.deadline;
  return { key, id: task._id.toHexString() };
}

/** What of a draft is stored as it is, with what is derived from it: named one by one, and nothing else it might carry. */
export function formFields({ title, category, description, deadline, budget }: TaskDraft) {
  return { title, category, description, deadline, budget, grams2: titleGrams(title) };
}
