import * as z from "zod/mini";
import {
  answerDraftSchema,
  BID_LIMITS,
  BID_STATES,
  type BidState,
  bidTermsSchema,
  CONVERSATION_ROLES,
  changeRequestSchema,
  deliveryDraftSchema,
  MAX_SENT_TO,
  MAX_USD,
  messageDraftSchema,
  notificationSchema,
  OPERATOR_ACTS,
  ownProfileSchema,
  QUEUE_KINDS,
  questionDraftSchema,
  REPORT_LIMITS,
  REPORT_REASONS,
  reportDraftSchema,
  reviewDraftSchema,
  STORED_TASK_STATES,
  savedSearchFields,
  TASK_LIMITS,
  taskDraftSchema,
  timelineEntrySchema,
} from "../contract/index.ts";
import { instant, objectId } from "./mongo-schema.ts";

/*
 * Every stored thing, declared once: what of it people write and read comes from the contract, the rest stands here. The
 * documents' types, what the database itself accepts ($jsonSchema) and what lists read are all derived from these.
 */

const text = (max: number, min = 0) => z.string().check(z.minLength(min), z.maxLength(max));
const count = z.int().check(z.gte(0));
const usd = z.number().check(z.positive(), z.lte(MAX_USD));

// What Firebase and tokens can hold: longer ones were made up.
const uid = text(128, 1);
const name = text(100, 1);
/** Empty once its owner deleted their account. */
const email = text(320);
const image = text(2_000).check(z.regex(/^https:\/\//));
const taskTitle = text(TASK_LIMITS.title, 1);

/** The winning bid as it was when the task was awarded, with the freelancer's address at that time. `amount` in USD. */
const awardDocument = z.object({ bidId: objectId, freelancerId: uid, name, email, amount: usd, at: instant });
export type AwardDoc = z.infer<typeof awardDocument>;

/** Work that waits for its client. */
const deliveryDocument = z.object({
  at: instant,
  /** From then on the freelancer may mark the task as completed. */
  mayCompleteFrom: instant,
  /** When somebody is to be reminded next; missing after the last time. */
  remindAt: z.optional(instant),
});
export type DeliveryDoc = z.infer<typeof deliveryDocument>;

/** A task. Whose it is says `ownerId`; `email` and `name` are the poster's at the time of posting. */
export const taskDocument = z.extend(taskDraftSchema, {
  _id: objectId,
  ownerId: uid,
  email,
  name,
  clientImage: z.optional(image),
  /** May signed-in visitors see the poster's email address? */
  showEmail: z.boolean(),
  screeningQuestion: z.optional(text(BID_LIMITS.question, 1)),
  /** Always the number of this task's documents in `bids`. */
  bidsCount: count,
  createdAt: instant,
  updatedAt: instant,
  /** Counts saves, so that every accepted save changes the document, also one that changes nothing else. */
  revision: count,
  /** For the search indexes, see `titleGrams`: derived, and written with every title. */
  titleGrams: z.array(z.string()),
  state: z.enum(STORED_TASK_STATES),
  /** True while an operator keeps the task from the public. */
  hidden: z.boolean(),
  /** True while it is hidden because its client's account is suspended; false where an operator shows it in spite of that. */
  suspended: z.optional(z.boolean()),
  /** There while the task is delivered, and only then. */
  delivery: z.optional(deliveryDocument),
  /** Who was hired; there while the task is awarded, delivered or completed, and kept when it is cancelled after that. */
  award: z.optional(awardDocument),
  /** When it was completed or cancelled; there in these two states only. */
  endedAt: z.optional(instant),
  /** How often it was awarded, also if it was opened again since. */
  awardCount: count,
  /** Rises with every change of any of the task's bids, so that those changes collide instead of passing each other. */
  bidsRevision: count,
  /** Does its client take no questions? */
  questionsClosed: z.boolean(),
  /** Rises with every change of its questions, for the same reason, and tells open pages of it. */
  questionsRevision: count,
  /**
   * There until everybody whose saved search matches the new task was told. The instance that took the task tells them;
   * from this moment on it is given up for dead, and any other one does.
   */
  alertsDueAt: z.optional(instant),
});
export type TaskDoc = z.infer<typeof taskDocument>;

/** A task as it is read: without what only the database needs. */
export const taskRow = z.omit(taskDocument, {
  updatedAt: true,
  titleGrams: true,
  bidsRevision: true,
  questionsRevision: true,
  endedAt: true,
  alertsDueAt: true,
  suspended: true,
});
export type TaskRow = z.infer<typeof taskRow>;

const messagePrint = z.object({ keys: z.array(z.int()), sketch: z.array(z.int()) });
export type MessagePrint = z.infer<typeof messagePrint>;

/** One freelancer's bid on one task; there is never a second one (unique index). */
export const bidDocument = z.extend(bidTermsSchema, {
  _id: objectId,
  taskId: objectId,
  bidderId: uid,
  bidderName: name,
  bidderEmail: email,
  bidderImage: z.optional(image),
  /** To find nearly the same messages by, see `messagePrint`: derived, and written with every message that is long enough. */
  print: z.optional(messagePrint),
  /** On how many other tasks nearly the same message stood before; absent if on none. */
  sentTo: z.optional(count.check(z.gte(1), z.lte(MAX_SENT_TO))),
  /** That a bid was not chosen is not stored: see `bidState`. */
  state: z.enum(BID_STATES),
  createdAt: instant,
  updatedAt: instant,
});
export type BidDoc = z.infer<typeof bidDocument>;

/** What somebody asked on a task, and what its client answered. */
export const questionDocument = z.extend(questionDraftSchema, {
  _id: objectId,
  taskId: objectId,
  /** Replaced by a random text when the asker deletes their account. */
  askerId: uid,
  /** The task's client; also replaced. */
  clientId: uid,
  /** Is there an answer, so that everybody sees it? For the index. */
  answered: z.boolean(),
  answer: z.optional(z.extend(answerDraftSchema, { createdAt: instant, updatedAt: instant })),
  /** True while an operator keeps it from everybody. */
  hidden: z.boolean(),
  createdAt: instant,
});
export type QuestionDoc = z.infer<typeof questionDocument>;

/** Somebody the product has met. `_id` is their uid; name, image and email are those of their last token. */
export const personDocument = z.object({
  _id: uid,
  name,
  email,
  /** Did they prove that the address is theirs? Nothing is mailed to any other. */
  emailVerified: z.boolean(),
  image: z.optional(image),
  memberSince: instant,
  /** The last day (UTC) on which they did anything; no more is kept of that. */
  lastActiveOn: text(10, 10),
  /** Missing until they write one. */
  profile: z.optional(ownProfileSchema),
  /** Do they want notifications by email too? */
  emailNotices: z.boolean(),
  /** Since when: what happened before is not sent. */
  emailNoticesSince: z.optional(instant),
  /** The secret of the link that ends emails. */
  unsubscribeKey: z.optional(text(100, 1)),
  /** When new tasks of their saved searches are due in one email; or, while it is sent, when its sender is given up for dead. */
  digestDueAt: z.optional(instant),
});
export type PersonDoc = z.infer<typeof personDocument>;

/** The sending of one notification by email. */
const mailDocument = z.object({
  attempts: count,
  /** When it may be tried again: the sender failed, or is given up for dead. Missing when there is nothing left to do. */
  dueAt: z.optional(instant),
  sentAt: z.optional(instant),
  /** Did it fail so often that it is not tried any more? */
  failed: z.optional(z.boolean()),
  /** Does it wait for the recipient's daily email? */
  daily: z.optional(z.boolean()),
});
export type MailDoc = z.infer<typeof mailDocument>;

/** One thing one person is told. */
export const notificationDocument = z.extend(
  z.pick(notificationSchema, {
    kind: true,
    taskTitle: true,
    asClient: true,
    saved: true,
    actor: true,
    amount: true,
    reason: true,
    text: true,
    search: true,
  }),
  {
    _id: objectId,
    recipientId: uid,
    taskId: objectId,
    /** The saved search that `search` names. */
    searchId: z.optional(objectId),
    /** The actor's uid, to find their name again; never sent to anybody. */
    actorId: z.optional(uid),
    /** What must be told only once has a key; a second one with the same key is refused by its index. */
    onceKey: z.optional(text(300, 1)),
    conversationId: z.optional(objectId),
    /** Null until it was read. */
    readAt: z.nullable(instant),
    /** The recipient once more, written together with `readAt`: so the change stream tells whose count it changes. */
    readBy: z.optional(uid),
    /** There once somebody began to send it. */
    mail: z.optional(mailDocument),
    createdAt: instant,
  },
);
export type NotificationDoc = z.infer<typeof notificationDocument>;

/**
 * What those who bid on a task, or saved it, are to be told of a decision, until all of them were; written in the transaction of the
 * decision.
 */
export const announcementDocument = z.extend(
  z.pick(notificationDocument, { taskId: true, taskTitle: true, kind: true, actor: true, actorId: true }),
  {
    _id: objectId,
    /** The task's revision when it was decided: announcements of one task are told in this order. */
    version: count,
    /** When the newest bid of that moment was placed: later ones are not told. */
    until: instant,
    /** Bids whose freelancers are not told. */
    except: z.array(objectId),
    /** Was the task deleted, so that its bids go too? */
    removesBids: z.boolean(),
    /** Who is being told: bidders come first, so that who also saved the task is told once, as a bidder. */
    audience: z.enum(["bidders", "watchers"]),
    /** Of those, people up to this uid were told; empty before the first. */
    after: text(128),
    /** When the next batch may be told, or, while an instance is at it, when that one is given up for dead. */
    dueAt: instant,
    createdAt: instant,
  },
);
export type AnnouncementDoc = z.infer<typeof announcementDocument>;

/** A search that somebody saved, to be told of new tasks that match. */
export const savedSearchDocument = z.extend(savedSearchFields, {
  _id: objectId,
  ownerId: uid,
  /** Which of the searches that one person may have. Its unique index is the limit. */
  slot: count,
  paused: z.boolean(),
  /** The filters the other way round, for a task to find the search by; derived, see `matchOf`. */
  match: z.object({
    key: z.string(),
    pattern: z.string(),
    minBudget: z.number(),
    maxBudget: z.number(),
  }),
  createdAt: instant,
});
export type SavedSearchDoc = z.infer<typeof savedSearchDocument>;

/** What one side of a completed task says about the other. */
export const reviewDocument = z.extend(reviewDraftSchema, {
  _id: objectId,
  taskId: objectId,
  taskTitle,
  /** Replaced by a random text when the author deletes their account. */
  authorId: uid,
  authorName: name,
  authorImage: z.optional(image),
  /** Did the author delete their account? */
  anonymous: z.boolean(),
  role: z.enum(["client", "freelancer"]),
  subjectId: uid,
  createdAt: instant,
});
export type ReviewDoc = z.infer<typeof reviewDocument>;

/**
 * What a task's client and one of its freelancers write to each other; there is never a second one of the three (unique
 * index). Whoever writes has seen what was written before, so only one of them has unread messages at a time.
 */
export const conversationDocument = z.object({
  _id: objectId,
  taskId: objectId,
  taskTitle,
  clientId: uid,
  freelancerId: uid,
  /** Both of them, for the index of each one's list. */
  memberIds: z.array(uid).check(z.minLength(2), z.maxLength(2)),
  /** Always the number of this conversation's documents in `messages`, and the `number` of the last one. */
  count,
  /** Up to which message each has seen them. */
  seen: z.object({ client: count, freelancer: count }),
  /** Who has unread messages; missing while nobody has. */
  unreadBy: z.optional(uid),
  /** When that person is notified of them; missing once they were. */
  noticeAt: z.optional(instant),
  /** Who of the two takes no messages of the other. */
  blockedBy: z.array(uid),
  /** When the last message was written, or the conversation opened. */
  lastAt: instant,
  createdAt: instant,
});
export type ConversationDoc = z.infer<typeof conversationDocument>;

/** One message; its text goes with its author's account. */
export const messageDocument = z.extend(z.partial(messageDraftSchema), {
  _id: objectId,
  conversationId: objectId,
  /** From 1, without gaps. */
  number: count,
  by: z.enum(CONVERSATION_ROLES),
  createdAt: instant,
});
export type MessageDoc = z.infer<typeof messageDocument>;

/**
 * One step of a task's life after its posting. Both sides are named as they were at that time: whom the client hires later
 * does not read what an earlier freelancer delivered.
 */
export const timelineDocument = z.extend(
  z.partial(z.extend(deliveryDraftSchema, changeRequestSchema.shape)),
  {
    _id: objectId,
    taskId: objectId,
    kind: timelineEntrySchema.shape.kind,
    by: timelineEntrySchema.shape.by,
    clientId: uid,
    /** Missing while nobody was hired. */
    freelancerId: z.optional(uid),
    at: instant,
  },
);
export type TimelineDoc = z.infer<typeof timelineDocument>;

/**
 * That somebody thinks a task, a bid, a question or a conversation should not be there. `subject` names what: one report
 * per person and subject.
 */
export const reportDocument = z.extend(z.pick(reportDraftSchema, { reason: true, text: true }), {
  _id: objectId,
  subject: text(200, 1),
  taskId: objectId,
  bidId: z.optional(objectId),
  questionId: z.optional(objectId),
  conversationId: z.optional(objectId),
  /** Of a conversation: how many messages it had. */
  messages: z.optional(count),
  reporterId: uid,
  reporterName: name,
  settled: z.boolean(),
  createdAt: instant,
});
export type ReportDoc = z.infer<typeof reportDocument>;

/** That somebody saved a task; see `watchers.ts`. */
export const savedTaskDocument = z.object({
  _id: objectId,
  personId: uid,
  taskId: objectId,
  /** What the task was called, once it was deleted. */
  lastTitle: z.optional(taskTitle),
  createdAt: instant,
});
export type SavedTaskDoc = z.infer<typeof savedTaskDocument>;

/** What operators are to look at though nobody reported it; see `queueForOperators`. */
export const queueItemDocument = z.object({
  _id: objectId,
  /** Kind and subject: there is one item for both. */
  key: text(200, 1),
  kind: z.enum(QUEUE_KINDS),
  note: z.optional(text(200, 1)),
  taskId: objectId,
  bidId: z.optional(objectId),
  /** Who wrote it. */
  personId: uid,
  settled: z.boolean(),
  createdAt: instant,
});
export type QueueItemDoc = z.infer<typeof queueItemDocument>;

/** What an operator did, to whom and why. Only ever inserted; whoever leaves is taken out of it by name and uid. */
export const operatorActDocument = z.object({
  _id: objectId,
  kind: z.enum(OPERATOR_ACTS),
  operatorId: uid,
  operatorName: name,
  personId: z.optional(uid),
  personName: z.optional(name),
  taskId: z.optional(objectId),
  taskTitle: z.optional(taskTitle),
  reason: z.optional(z.enum(REPORT_REASONS)),
  text: z.optional(text(REPORT_LIMITS.note, 1)),
  createdAt: instant,
});
export type OperatorActDoc = z.infer<typeof operatorActDocument>;

/** That an operator suspended an account; `_id` is its uid. Kept when it is lifted, so that every instance learns of it. */
export const suspensionDocument = z.object({
  _id: uid,
  reason: z.enum(REPORT_REASONS),
  text: z.optional(text(REPORT_LIMITS.note, 1)),
  /** Null while the account is suspended. */
  liftedAt: z.nullable(instant),
  changedAt: instant,
  /** There until the person's tasks and the identity provider follow. */
  pendingSince: z.optional(instant),
});
export type SuspensionDoc = z.infer<typeof suspensionDocument>;

/**
 * That somebody deleted their account; `_id` is their uid. It ends the sessions from before, and lets what was still under
 * way be swept up. Forgotten after some hours.
 */
export const closureDocument = z.object({
  _id: uid,
  at: instant,
  /** Sessions begun before this are over, and documents created before it go. */
  until: instant,
  /** Stands in for the uid in what stays behind. Random: once this document is gone, nothing leads back. */
  alias: uid,
  /** Null until everything is gone that was created before `until`. */
  finishedAt: z.nullable(instant),
});
export type ClosureDoc = z.infer<typeof closureDocument>;

const storedResponse = z.object({
  status: count,
  headers: z.record(z.string(), z.string()),
  body: text(100_000),
});
export type StoredResponse = z.infer<typeof storedResponse>;

/** A request that carried an `Idempotency-Key`, kept for those who send it again. */
export const idempotencyKeyDocument = z.object({
  _id: objectId,
  personId: uid,
  key: text(200, 1),
  /** Tells whether a request with the key is the same request. */
  fingerprint: text(100, 1),
  /** The copy of the request that is at work, or was last. */
  holder: objectId,
  /** Until then nobody else does the same. */
  lockedUntil: z.optional(instant),
  /** What the request's transaction came to, written by the transaction itself. */
  outcome: z.optional(z.object({ value: z.optional(z.unknown()) })),
  /** The final response. */
  response: z.optional(storedResponse),
  createdAt: instant,
});
export type IdempotencyKeyDoc = z.infer<typeof idempotencyKeyDocument>;

/** Whose addresses somebody looked up on one day, all of it in digests; `_id` is that of day, kind and viewer. */
export const addressViewsDocument = z.object({
  _id: text(22, 1),
  seen: z.array(z.string()),
  expireAt: instant,
});

/** How many bids somebody has placed on one day, withdrawn ones included; `_id` is a digest of the two. */
export const bidDayDocument = z.object({ _id: text(22, 1), bids: count, expireAt: instant });

/** How often something was done in a window of time, by whom; written by `rate-limiter-flexible`. */
export const rateLimitDocument = z.looseObject({
  _id: objectId,
  key: z.string(),
  points: z.number(),
  expire: instant,
});

/**
 * A bid's state as people see it. That a bid was not chosen is not stored: it is what the task's award says.
 * @param task without one (it was deleted) the stored state stands.
 */
export function bidState(
  { _id, state }: Pick<BidDoc, "_id" | "state">,
  task: Pick<TaskDoc, "award"> | undefined,
): BidState {
  if (task?.award) return task.award.bidId.equals(_id) ? "awarded" : "declined";
  return state;
}
