import { type Filter, type Sort as MongoSort, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { CalendarDate, Category, TaskDraft } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { TaskDoc } from "../../db/collections.ts";
import type { Order, Place } from "./task-cursor.ts";

export type { TaskDoc };

/** Which tasks, in which order, from where. Without `limit` all of them. */
export type TaskListing = TaskChoice & {
  order: Order;
  after?: Place | undefined;
  limit?: number | undefined;
};

/** Which tasks, wherever in the list they stand. */
export type TaskChoice = {
  /** Case-insensitive substring of the title, every character literal. */
  search?: string | undefined;
  category?: Category | undefined;
  ownerId?: string | undefined;
};

export type TaskStore = ReturnType<typeof taskStore>;

/** Reads and writes tasks. What must hold under concurrency is in the filters, not in the callers. */
export function taskStore({ tasks, bids, transaction }: Pick<Database, "tasks" | "bids" | "transaction">) {
  return {
    list(listing: TaskListing): Promise<TaskDoc[]> {
      const { sort, direction, key } = ORDERS[listing.order];
      const filter = {
        ...filterOf(listing),
        ...(listing.after && afterPlace(key, direction, listing.after)),
      };
      // A limit of 0 is MongoDB's "no limit".
      return tasks
        .find(filter, READ_LIMITS)
        .sort(sort)
        .limit(listing.limit ?? 0)
        .toArray();
    },

    /** How many tasks there are of this choice, on all pages. */
    count(choice: TaskChoice): Promise<number> {
      const filter = filterOf(choice);
      // Without a filter the collection's own record answers at once, however many there are.
      if (Object.keys(filter).length === 0) return tasks.estimatedDocumentCount(READ_LIMITS);
      return tasks.countDocuments(filter, READ_LIMITS);
    },

    /** Open tasks, most bids first, then the soonest deadline. */
    featured(today: CalendarDate, limit: number): Promise<TaskDoc[]> {
      return tasks
        .find({ deadline: { $gte: today } }, READ_LIMITS)
        .sort({ bidsCount: -1, deadline: 1, _id: 1 })
        .limit(limit)
        .toArray();
    },

    find(id: string): Promise<TaskDoc | null> {
      return tasks.findOne({ _id: new ObjectId(id) }, READ_LIMITS);
    },

    async hasBid(taskId: string, bidderId: string): Promise<boolean> {
      const filter = { taskId: new ObjectId(taskId), bidderId };
      return (await bids.findOne(filter, { ...READ_LIMITS, projection: { _id: 1 } })) !== null;
    },

    async insert(draft: TaskDraft, owner: User, now: Date): Promise<string> {
      const _id = new ObjectId();
      await tasks.insertOne({
        _id,
        ...formFields(draft),
        ownerId: owner.uid,
        email: owner.email,
        name: owner.name,
        ...(owner.picture && { clientImage: owner.picture }),
        bidsCount: 0,
        createdAt: now,
        updatedAt: now,
        revision: 0,
      });
      return _id.toHexString();
    },

    /**
     * Writes the form's five fields if the task is this owner's; never creates one.
     * @param onlyIfDeadline saves only while the stored deadline is this one.
     * @returns how many tasks were saved, 1 or 0; a save that changes nothing else still raises `revision`.
     */
    async updateOwned(
      id: string,
      ownerId: string,
      draft: TaskDraft,
      options: { now: Date; onlyIfDeadline?: CalendarDate | undefined },
    ): Promise<number> {
      const { now, onlyIfDeadline } = options;
      const result = await tasks.updateOne(
        { _id: new ObjectId(id), ownerId, ...(onlyIfDeadline !== undefined && { deadline: onlyIfDeadline }) },
        { $set: { ...formFields(draft), updatedAt: now }, $inc: { revision: 1 } },
      );
      return result.modifiedCount;
    },

    /** Deletes the task if it is this owner's, together with its bids. @returns how many tasks, 1 or 0. */
    deleteOwned(id: string, ownerId: string): Promise<number> {
      const taskId = new ObjectId(id);
      return transaction(async (session) => {
        // The task goes first: every bid writes it too, so a bid in flight collides here instead of being left behind.
        const { deletedCount } = await tasks.deleteOne({ _id: taskId, ownerId }, { session });
        if (deletedCount > 0) await bids.deleteMany({ taskId }, { session });
        return deletedCount;
      });
    },
  };
}

/** A read that takes longer is stopped by the database and answered as `unavailable`. */
const READ_LIMITS = { maxTimeMS: 4_000 } as const;

type OrderPlan = { sort: MongoSort; direction: 1 | -1; key: "createdAt" | "deadline" };

const ORDERS: Record<Order, OrderPlan> = {
  newest: { sort: { createdAt: -1, _id: -1 }, direction: -1, key: "createdAt" },
  asc: { sort: { deadline: 1, _id: 1 }, direction: 1, key: "deadline" },
  desc: { sort: { deadline: -1, _id: -1 }, direction: -1, key: "deadline" },
};

/** The key by which a task stands in a list of that order, as text. */
export function placeOf(task: TaskDoc, order: Order): Place {
  const key = order === "newest" ? task.createdAt.toISOString() : task.deadline;
  return { order, key, id: task._id.toHexString() };
}

// Keyset paging: what was inserted or deleted meanwhile neither repeats nor hides a task on the next page.
function afterPlace(key: OrderPlan["key"], direction: 1 | -1, place: Place): Filter<TaskDoc> {
  const value = key === "createdAt" ? new Date(place.key) : place.key;
  const beyond = direction === 1 ? "$gt" : "$lt";
  return {
    $or: [{ [key]: { [beyond]: value } }, { [key]: value, _id: { [beyond]: new ObjectId(place.id) } }],
  };
}

function filterOf({ search, category, ownerId }: TaskChoice): Filter<TaskDoc> {
  return {
    ...(search !== undefined && { title: containing(search) }),
    ...(category !== undefined && { category }),
    ...(ownerId !== undefined && { ownerId }),
  };
}

function containing(text: string) {
  return { $regex: text.replace(/[\\^$.*+?()[\]{}|/#-]/g, "\\$&"), $options: "i" };
}

// Named one by one: whatever else a draft might carry is never stored.
function formFields({ title, category, description, deadline, budget }: TaskDraft): TaskDraft {
  return { title, category, description, deadline, budget };
}
