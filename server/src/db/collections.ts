import type { Collection, Db, ObjectId } from "mongodb";
import type { CalendarDate, Category } from "../contract/index.ts";

/** A task as stored. Whose it is says `ownerId`; `email` and `name` are the poster's at the time of posting. */
export type TaskDoc = {
  _id: ObjectId;
  title: string;
  category: Category;
  description: string;
  /** Compared as text: `YYYY-MM-DD` sorts as the calendar does. */
  deadline: CalendarDate;
  /** USD */
  budget: number;
  ownerId: string;
  email: string;
  name: string;
  clientImage?: string;
  /** Always the number of this task's documents in `bids`. */
  bidsCount: number;
  createdAt: Date;
  updatedAt: Date;
  /** Counts saves, so that every accepted save changes the document, also one that changes nothing else. */
  revision: number;
  /**
   * The title's grams, for the search indexes; see `titleGrams`. Derived: written with every title, never answered.
   * Missing (which a query calls null) only in tasks of an earlier version, until `fillGrams` gets to them. The number is
   * that of their kind: when it changes, tasks with grams of another kind are told from those that are up to date.
   */
  grams2?: string[] | null;
};

/** One freelancer's bid on one task; there is never a second one (unique index). */
export type BidDoc = {
  _id: ObjectId;
  taskId: ObjectId;
  bidderId: string;
  bidderName: string;
  bidderEmail: string;
  createdAt: Date;
};

export type Collections = { tasks: Collection<TaskDoc>; bids: Collection<BidDoc> };

/** The product's collections, typed. */
export function collectionsOf(db: Db): Collections {
  return { tasks: db.collection<TaskDoc>("tasks"), bids: db.collection<BidDoc>("bids") };
}
