import * as z from "zod/mini";
import {
  answerDraftSchema,
  BID_LIMITS,
  changeRequestSchema,
  deliveryDraftSchema,
  questionDraftSchema,
  reviewDraftSchema,
  STORED_TASK_STATES,
  taskDraftSchema,
  timelineEntrySchema,
} from "../../contract/index.ts";
import { count, email, image, instant, name, objectId, taskTitle, text, uid, usd } from "../mongo-schema.ts";

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

/** A saved task; its person is notified of decisions on it, see `announcements.ts`. */
export const savedTaskDocument = z.object({
  _id: objectId,
  personId: uid,
  taskId: objectId,
  /** What the task was called, once it was deleted. */
  lastTitle: z.optional(taskTitle),
  createdAt: instant,
});
export type SavedTaskDoc = z.infer<typeof savedTaskDocument>;
