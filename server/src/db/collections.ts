import type { Collection, Db, ObjectId } from "mongodb";
import type {
  BidState,
  CalendarDate,
  Category,
  NotificationKind,
  ReportReason,
  StoredTaskState,
} from "../contract/index.ts";

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
  /** Missing in tasks of a version before there were states: they are open. */
  state?: StoredTaskState;
  /** There, and true, while an operator keeps the task from the public. */
  hidden?: true;
  /** There, and false, if the poster does not want their e-mail address shown. */
  showEmail?: false;
  /** Who was hired; there while the task is awarded or completed, and kept when it is cancelled after that. */
  award?: AwardDoc;
  /** How often the task was reopened after an award. */
  voidedAwards?: number;
  /** There, and true, once the task was awarded, whatever became of that. */
  wasAwarded?: true;
  /** Rises with every change of any of the task's bids, so that those changes collide instead of passing each other. */
  bidsRevision?: number;
};

/** The winning bid as it was when the task was awarded, with the freelancer's address at that time. `amount` in USD. */
export type AwardDoc = {
  bidId: ObjectId;
  freelancerId: string;
  name: string;
  email: string;
  amount: number;
  at: Date;
};

/** One freelancer's bid on one task; there is never a second one (unique index). */
export type BidDoc = {
  _id: ObjectId;
  taskId: ObjectId;
  bidderId: string;
  bidderName: string;
  bidderEmail: string;
  bidderImage?: string;
  /** USD. Missing in bids of a version before there were amounts: they are at the task's budget. */
  amount?: number;
  /** Whole days to deliver. */
  days?: number;
  message?: string;
  /** Missing means placed. That a bid was not chosen is not stored: it is what the task's award says. */
  state?: BidState;
  createdAt: Date;
  updatedAt?: Date;
};

/** Somebody the product has met. `_id` is their uid; name, image and e-mail are those of their last token. */
export type PersonDoc = {
  _id: string;
  name: string;
  email: string;
  /** There, and true, if they proved that the address is theirs. Nothing is mailed to any other. */
  emailVerified?: true;
  image?: string;
  memberSince: Date;
  /** Wants notifications by e-mail too. */
  emailNotices?: boolean;
  /** Since when: what happened before is not sent. */
  emailNoticesSince?: Date;
  /** The secret of the link that ends e-mails. */
  unsubscribeKey?: string;
};

/** One thing one person is told. */
export type NotificationDoc = {
  _id: ObjectId;
  recipientId: string;
  kind: NotificationKind;
  taskId: ObjectId;
  taskTitle: string;
  asClient: boolean;
  actor?: string;
  /** The actor's uid, to find their name again; never answered. */
  actorId?: string;
  /** USD */
  amount?: number;
  /** What must be told only once has a key; a second one with the same key is refused by its index. */
  onceKey?: string;
  /** Null until it was read. */
  readAt: Date | null;
  /** The recipient once more, written together with `readAt`: so the change stream's event tells whose count it changes. */
  readBy?: string;
  /** How far its e-mail is; there once somebody began to send it. */
  mail?: MailDoc;
  createdAt: Date;
};

/**
 * What those who bid on a task are to be told of a decision, until all of them were; written in the transaction of the
 * decision.
 */
export type AnnouncementDoc = {
  _id: ObjectId;
  taskId: ObjectId;
  taskTitle: string;
  kind: NotificationKind;
  actor?: string;
  /** The actor's uid, as in a notification. */
  actorId?: string;
  /** The task's version when it was decided: announcements of one task are told in this order. */
  version: number;
  /** When the newest bid of that moment was placed: later ones are not told. */
  until: Date;
  /** Bids whose freelancers are not told. */
  except: ObjectId[];
  /** There, and true, if the task was deleted and its bids go too. */
  removesBids?: true;
  /** The freelancers up to this uid were told; empty before the first. */
  after: string;
  /** When the next batch may be told, or, while an instance is at it, when that one is given up for dead. */
  dueAt: Date;
  createdAt: Date;
};

/** The sending of one notification by e-mail. */
export type MailDoc = {
  attempts: number;
  /** When it may be tried again: the sender failed, or is given up for dead. Missing when there is nothing left to do. */
  dueAt?: Date;
  sentAt?: Date;
  /** True once it failed so often that it is not tried any more. */
  failed?: true;
};

/** What one side of a completed task says about the other. */
export type ReviewDoc = {
  _id: ObjectId;
  taskId: ObjectId;
  taskTitle: string;
  /** Replaced by a random text when the author deletes their account. */
  authorId: string;
  authorName: string;
  authorImage?: string;
  /** True once the author deleted their account. */
  anonymous?: true;
  role: "client" | "freelancer";
  subjectId: string;
  stars: number;
  text: string;
  createdAt: Date;
};

/** That somebody thinks a task or a bid should not be there. `subject` names what: one report per person and subject. */
export type ReportDoc = {
  _id: ObjectId;
  subject: string;
  taskId: ObjectId;
  bidId?: ObjectId;
  reporterId: string;
  reporterName: string;
  reason: ReportReason;
  text?: string;
  settled: boolean;
  createdAt: Date;
};

/**
 * That somebody deleted their account; `_id` is their uid. It ends the sessions from before, and lets what was still under
 * way be swept up. Forgotten after some hours.
 */
export type ClosureDoc = {
  _id: string;
  at: Date;
  /** Sessions begun before this are over, and documents created before it go. */
  until: Date;
  /** Stands in for the uid in what stays behind. Random: once this document is gone, nothing leads back. */
  alias: string;
  /** Null until everything is gone that was created before `until`. */
  finishedAt: Date | null;
};

/** How often something was done in a window of time, by whom; written by `rate-limiter-flexible`. */
type RateLimitDoc = { _id: ObjectId; key: string; points: number; expire: Date };

/** A request that carried an `Idempotency-Key`, kept for those who ask again. */
export type IdempotencyKeyDoc = {
  _id: ObjectId;
  personId: string;
  key: string;
  /** Tells whether a request with the key is the same request. */
  fingerprint: string;
  /** The copy of the request that is at work, or was last. */
  holder: ObjectId;
  /** Until then nobody else does the same. */
  lockedUntil?: Date;
  /** What the request's transaction came to, written by the transaction itself. */
  outcome?: { value?: unknown };
  /** What was answered for good. */
  response?: StoredResponse;
  createdAt: Date;
};

export type StoredResponse = { status: number; headers: Record<string, string>; body: string };

/** Whose addresses somebody looked up on one day, all of it in digests; `_id` is that of day, kind and viewer. */
type AddressViewsDoc = { _id: string; seen: string[]; expireAt: Date };

export type Collections = {
  tasks: Collection<TaskDoc>;
  bids: Collection<BidDoc>;
  people: Collection<PersonDoc>;
  notifications: Collection<NotificationDoc>;
  announcements: Collection<AnnouncementDoc>;
  reviews: Collection<ReviewDoc>;
  reports: Collection<ReportDoc>;
  closures: Collection<ClosureDoc>;
  rateLimits: Collection<RateLimitDoc>;
  idempotencyKeys: Collection<IdempotencyKeyDoc>;
  addressViews: Collection<AddressViewsDoc>;
};

/** The product's collections, typed. */
export function collectionsOf(db: Db): Collections {
  return {
    tasks: db.collection<TaskDoc>("tasks"),
    bids: db.collection<BidDoc>("bids"),
    people: db.collection<PersonDoc>("people"),
    notifications: db.collection<NotificationDoc>("notifications"),
    announcements: db.collection<AnnouncementDoc>("announcements"),
    reviews: db.collection<ReviewDoc>("reviews"),
    reports: db.collection<ReportDoc>("reports"),
    rateLimits: db.collection<RateLimitDoc>("rateLimits"),
    idempotencyKeys: db.collection<IdempotencyKeyDoc>("idempotencyKeys"),
    addressViews: db.collection<AddressViewsDoc>("addressViews"),
    closures: db.collection<ClosureDoc>("closures"),
  };
}
