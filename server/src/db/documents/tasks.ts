import * as z from "zod/mini";
import {
  answerDraftSchema,
  BID_LIMITS,
  changeRequestSchema,
  deliveryDraftSchema,
  milestoneSchema,
  PAYMENT_LIMITS,
  paymentSchema,
  questionDraftSchema,
  reviewDraftSchema,
  reviewReplySchema,
  STORED_TASK_STATES,
  sideSchema,
  taskFieldsSchema,
  timelineEntrySchema,
} from "../../contract/index.ts";
import { count, email, image, instant, name, objectId, taskTitle, text, uid, usd } from "../mongo-schema.ts";

/** What the two sides say about the payment of a completed task, or of an accepted milestone. `at`: when that last changed. */
const paymentDocument = z.object({
  state: paymentSchema.shape.state,
  at: instant,
  reference: z.optional(text(PAYMENT_LIMITS.reference, 1)),
  note: z.optional(text(PAYMENT_LIMITS.note, 1)),
});

/** The winning bid at the time of the award, with the freelancer's email address then. `amount` in USD. */
const awardDocument = z.object({
  bidId: objectId,
  freelancerId: uid,
  name,
  email,
  amount: usd,
  at: instant,
  /** The agreed calendar date. */
  due: z.optional(text(10, 10)),
  /** Who has proposed to end the task early, until the other side answers; `operator` while there is a dispute. */
  ending: z.optional(z.enum(["client", "freelancer", "operator"])),
  /** How it was ended early. */
  ended: z.optional(z.enum(["agreement", "decision"])),
  /** Who has proposed to change the agreement, until the other side answers. */
  change: z.optional(sideSchema),
  /** What was agreed on instead of one whole, in order, each with its payment; `accepted`: how many of them are. */
  milestones: z.optional(z.array(z.extend(milestoneSchema, { payment: z.optional(paymentDocument) }))),
  accepted: z.optional(count),
  /** True from a request for changes until the next delivery. */
  sentBack: z.optional(z.boolean()),
});
export type AwardDoc = z.infer<typeof awardDocument>;

/** Delivered work that waits for its client. */
const deliveryDocument = z.object({
  at: instant,
  /** When the freelancer may mark the task as completed. */
  mayCompleteFrom: instant,
});
export type DeliveryDoc = z.infer<typeof deliveryDocument>;

/**
 * A task of `ownerId`: what was filled in of its form, as empty values are not stored, and what follows here. `email` and
 * `name` are the poster's at the time of posting.
 */
export const taskDocument = z.extend(taskFieldsSchema, {
  _id: objectId,
  ownerId: uid,
  email,
  name,
  clientImage: z.optional(image),
  /** May signed-in visitors see the poster's email address? */
  showEmail: z.boolean(),
  screeningQuestion: z.optional(text(BID_LIMITS.question, 1)),
  /** The client's average rating, rounded down to half a star; absent without reviews. For the filter of lists. */
  clientRating: z.optional(z.number().check(z.gte(1), z.lte(5))),
  /** Always equals the number of its documents in `bids`. */
  bidsCount: count,
  createdAt: instant,
  updatedAt: instant,
  /** When its public fields last changed; absent if never since it was posted. */
  editedAt: z.optional(instant),
  /** Number of saves, so that every accepted save changes the document, even if nothing else changes. */
  revision: count,
  /** For the search indexes; derived from title, description and skills, see `searchKeysOf`. */
  searchKeys: z.array(z.string()),
  state: z.enum(STORED_TASK_STATES),
  /** True while an operator hides the task from the public. */
  hidden: z.boolean(),
  /** True if it is hidden because its client's account is suspended; false if an operator shows it nevertheless. */
  suspended: z.optional(z.boolean()),
  /** Present exactly while the task is delivered. */
  delivery: z.optional(deliveryDocument),
  /** Who was hired. Present while the task is awarded, delivered or completed, and kept if it is cancelled then. */
  award: z.optional(awardDocument),
  payment: z.optional(paymentDocument),
  /** When it was completed or cancelled; only in these two states. */
  endedAt: z.optional(instant),
  /** How often it was awarded, including awards before a reopening. */
  awardCount: count,
  /** Incremented with every change to any of the task's bids and with every review, so that concurrent changes collide. */
  bidsRevision: count,
  /** True while the client takes no questions. */
  questionsClosed: z.boolean(),
  /** Incremented with every change to its questions, for the same reason, and so that open pages notice. */
  questionsRevision: count,
});
export type TaskDoc = z.infer<typeof taskDocument>;

/** The projection of tasks that are shown: without what only the database needs. */
export const SHOWN_TASK = {
  updatedAt: 0,
  searchKeys: 0,
  clientRating: 0,
  bidsRevision: 0,
  questionsRevision: 0,
  endedAt: 0,
  suspended: 0,
} as const;
/** The projection of whole tasks without the keys of searches, which are most of one. */
export const WITHOUT_KEYS = { searchKeys: 0 } as const;

/** A question on a task, and its client's answer. */
export const questionDocument = z.extend(questionDraftSchema, {
  _id: objectId,
  taskId: objectId,
  /** Replaced by a random alias when the asker deletes their account. */
  askerId: uid,
  /** The task's client; replaced in the same way. */
  clientId: uid,
  /** True once it has an answer, which makes it public. For the index. */
  answered: z.boolean(),
  answer: z.optional(z.extend(answerDraftSchema, { createdAt: instant, updatedAt: instant })),
  /** True while an operator hides it from everybody. */
  hidden: z.boolean(),
  createdAt: instant,
});
export type QuestionDoc = z.infer<typeof questionDocument>;

/** One side's review of the other side of a completed task. */
export const reviewDocument = z.extend(reviewDraftSchema, {
  _id: objectId,
  taskId: objectId,
  taskTitle,
  /** Replaced by a random alias when the author deletes their account. */
  authorId: uid,
  authorName: name,
  authorImage: z.optional(image),
  /** Did the author delete their account? */
  anonymous: z.boolean(),
  role: sideSchema,
  subjectId: uid,
  /** True if the task was ended by an operator's decision. */
  endedByDecision: z.optional(z.literal(true)),
  /** False until both sides have written theirs, or the time for that is over. */
  shown: z.boolean(),
  reply: z.optional(z.object({ text: reviewReplySchema.shape.text, createdAt: instant })),
  createdAt: instant,
});
export type ReviewDoc = z.infer<typeof reviewDocument>;

/**
 * One step of a task's life after its posting, with the two sides at the time: a freelancer who is hired later must not
 * read what an earlier one delivered.
 */
export const timelineDocument = z.extend(
  z.partial(z.extend(z.omit(deliveryDraftSchema, { files: true }), changeRequestSchema.shape)),
  {
    _id: objectId,
    taskId: objectId,
    kind: timelineEntrySchema.shape.kind,
    by: timelineEntrySchema.shape.by,
    clientId: uid,
    /** Absent if nobody was hired at the time. */
    freelancerId: z.optional(uid),
    at: instant,
  },
);
export type TimelineDoc = z.infer<typeof timelineDocument>;

/** A saved task; its person is notified of decisions on it, see `announcements.ts`. */
export const savedTaskDocument = z.object({
  _id: objectId,
  personId: uid,
  taskId: objectId,
  /** The task's last title, once it was deleted. */
  lastTitle: z.optional(taskTitle),
  createdAt: instant,
});
export type SavedTaskDoc = z.infer<typeof savedTaskDocument>;
