import * as z from "zod/mini";
import { milestoneSchema } from "./agreement.ts";
import { bidSchema } from "./bid.ts";
import { endpoints, list, ok } from "./endpoint.ts";
import { sideSchema } from "./fields.ts";
import { paymentDetailsSchema, paymentSchema } from "./payment.ts";
import { clientRecordSchema } from "./person.ts";
import { visibilitySchema } from "./report.ts";
import { insertResponseSchema } from "./responses.ts";
import { ownReviewSchema } from "./review.ts";
import {
  draftSchemaOn,
  stateChangeSchema,
  taskDraftSchema,
  taskFeedQuerySchema,
  taskFieldsSchema,
  taskQuerySchema,
} from "./task-fields.ts";
import { TASK_STATES } from "./task-state.ts";

/** The public fields of a task that are returned as stored: the draft without the client's settings. */
export const publicTaskSchema = z.extend(z.omit(taskFieldsSchema, { showEmail: true }), {
  name: z.string(),
  clientImage: z.optional(z.string()),
  bidsCount: z.number(),
});

/**
 * The signed-in caller's relation to a task; only in the response of `GET /tasks/:id` with a token. `contact` is the
 * other side of an award, for the client and the hired freelancer only.
 */
export const taskViewerSchema = z.object({
  isOwner: z.boolean(),
  hasBid: z.boolean(),
  role: z.enum(["client", "hired", "freelancer"]),
  /** The caller's own bid. */
  bid: z.optional(bidSchema),
  /** How many more bids the caller may place today (UTC), if they may bid here and few are left. */
  bidsLeft: z.optional(z.number()),
  contact: z.optional(
    z.object({
      ...{ id: z.string(), name: z.string(), email: z.string(), emailVerified: z.boolean() },
      /** How the hired freelancer is paid, for the client. */
      payment: z.optional(paymentDetailsSchema),
    }),
  ),
  /** True if an address is left out because the caller has reached the daily limit. */
  addressLimitReached: z.optional(z.boolean()),
  hasReviewed: z.boolean(),
  review: z.optional(ownReviewSchema),
  /** True if the client has invited the caller to bid. */
  invited: z.optional(z.boolean()),
  /** For the owner of an open task: how many people are invited and have not declined. */
  invitedCount: z.optional(z.number()),
  /** The owner's choice; see {@link taskDraftSchema}. */
  showEmail: z.optional(z.boolean()),
});

/**
 * A task as the API returns it. `budget` in USD, `deadline` a calendar date, `createdAt` an ISO instant. The optional
 * fields depend on the reader:
 * - `email` is the poster's: always for the poster, and for others who read this one task with a token if the poster
 *   allows it; `emailVerified` then says whether it is verified.
 * - `editedAt`, an ISO instant, if its public fields have changed since it was posted.
 * - `viewer` if this one task is read with a token; `client`, the poster's record, then too for everybody but the
 *   poster, unless the poster deleted their account.
 * - `hidden` for those who can see a hidden task, and `hiddenBecause`, the operator's reason, for the owner who reads
 *   this one task; `questionsClosed` while the client takes no questions.
 * - `wasAwarded` for the owner, if it was ever awarded and so cannot be deleted.
 * - `otherSideLeft` for the owner, if the hired freelancer deleted their account; for others, if the owner did.
 * - `agreed` for the owner and the hired freelancer, until the task is cancelled. `amount` in USD. `due`, a calendar
 *   date, follows from the days that the bid promised; without them it is `deliverBy` or else the deadline, and not
 *   before the day of the award. Both can agree on another.
 * - `reviewDue` for the owner and the hired freelancer of a completed task, while they have yet to review the other
 *   side, who still has an account. The owner gets it in lists as well.
 */
export const taskSchema = z.extend(publicTaskSchema, {
  _id: z.string(),
  email: z.optional(z.string()),
  emailVerified: z.optional(z.boolean()),
  createdAt: z.string(),
  editedAt: z.optional(z.string()),
  state: z.enum(TASK_STATES),
  /** The poster, as in `GET /profiles/:id`. */
  clientId: z.string(),
  /** Increases with every save. */
  version: z.number(),
  hidden: z.optional(z.boolean()),
  hiddenBecause: z.optional(z.string()),
  wasAwarded: z.optional(z.boolean()),
  client: z.optional(clientRecordSchema),
  questionsClosed: z.optional(z.boolean()),
  otherSideLeft: z.optional(z.boolean()),
  agreed: z.optional(
    z.object({
      amount: z.number(),
      due: z.string(),
      /** The hired freelancer's, for the client. */
      name: z.optional(z.string()),
      /** True while the delivered work is sent back for changes. */
      sentBack: z.optional(z.boolean()),
      /** Who has proposed to end the task early; `operator` once there is a dispute. */
      ending: z.optional(z.enum(["client", "freelancer", "operator"])),
      /** How it was ended early, if it was. */
      ended: z.optional(z.enum(["agreement", "decision"])),
      /** Who has proposed a change that the other side has yet to answer. */
      change: z.optional(sideSchema),
      /** Once one of the two has said something about it. */
      payment: z.optional(paymentSchema),
      /** In order; the first `accepted` ones are. Each has a payment of its own. */
      milestones: z.optional(z.array(z.extend(milestoneSchema, { payment: z.optional(paymentSchema) }))),
      accepted: z.optional(z.number()),
    }),
  ),
  reviewDue: z.optional(z.boolean()),
  viewer: z.optional(taskViewerSchema),
});
export type Task = z.infer<typeof taskSchema>;

/**
 * How many different people's email addresses a person can look up in a day: posters', and those of freelancers hired
 * after an earlier award was voided. A task's first award, and the freelancer who was hired, do not count.
 */
export const ADDRESSES_PER_DAY = { posters: 200, rehired: 10 } as const;

/**
 * An open task that fits somebody's skills or earlier bids (`GET /me/recommendations`), and why: `skill` is one of theirs
 * that its title or description names, `sameCategory` says that they have bid in its category, and `similarPrice` that
 * its budget is within half and twice what they asked for.
 */
export const recommendationSchema = z.object({
  task: taskSchema,
  skill: z.optional(z.string()),
  sameCategory: z.boolean(),
  similarPrice: z.boolean(),
});
export type Recommendation = z.infer<typeof recommendationSchema>;

export const taskEndpoints = /* @__PURE__ */ endpoints("Tasks", {
  listFeaturedTasks: {
    method: "GET",
    path: "/tasks/featuretasks",
    summary: "Featured tasks",
    description: "The open tasks that Home shows.",
    access: "anyone",
    responses: [list(taskSchema)],
  },
  listTasks: {
    method: "GET",
    path: "/tasks",
    summary: "List tasks",
    description:
      "With `limit`, one page and a link to the next; without it, all matching tasks, streamed. `email` must be the " +
      "caller's own and lists their tasks in every state. `search` finds a part of title or skills, and whole words of " +
      "the description; without `sort`, those found in title or skills come first.",
    access: "anyone",
    query: taskQuerySchema,
    responses: [list(taskSchema, "Link", "X-Total-Count", "X-Total-Count-Is")],
    errors: ["not-signed-in", "not-your-list", "search-too-broad"],
  },
  taskFeed: {
    method: "GET",
    path: "/tasks.atom",
    summary: "The list of tasks as an Atom feed",
    description: "The first tasks of the list, with the same filters.",
    access: "anyone",
    query: taskFeedQuerySchema,
    responses: [{ status: 200, type: "application/atom+xml" }],
    errors: ["search-too-broad"],
  },
  readTask: {
    method: "GET",
    path: "/tasks/:id",
    summary: "Read one task",
    description:
      "With a token, also the caller's relation to it, and its poster's record as a client and email address. Addresses " +
      "are limited to 200 different posters a day, clients the caller works for excepted; `viewer.addressLimitReached` " +
      "says that one was left out. Only its owner, the hired freelancer and operators can read a hidden task.",
    access: "anyone",
    responses: [ok(taskSchema)],
    errors: ["task-not-found"],
  },
  postTask: {
    method: "POST",
    path: "/tasks",
    summary: "Post a task",
    description: "The token identifies the poster; `email` and `name` in the payload are ignored.",
    access: "signed-in",
    body: taskDraftSchema,
    bodyOn: draftSchemaOn,
    responses: [{ status: 201, schema: insertResponseSchema, headers: ["Location"] }],
    errors: ["task-limit-reached"],
  },
  updateTask: {
    method: "PUT",
    path: "/tasks/:id",
    summary: "Save a task",
    description: "After an award the terms can no longer change, after completion nothing can.",
    access: "owner",
    body: taskDraftSchema,
    accepts: ["If-Match"],
    errors: ["task-locked"],
  },
  changeTaskState: {
    method: "PATCH",
    path: "/tasks/:id/state",
    summary: "Complete, cancel or reopen a task",
    description:
      "Cancelling an awarded task needs a `reason`. Delivered work has to be accepted or sent back first.",
    access: "owner",
    body: stateChangeSchema,
    accepts: ["If-Match"],
    errors: ["wrong-state"],
  },
  deleteTask: {
    method: "DELETE",
    path: "/tasks/:id",
    summary: "Delete a task and its bids",
    description: "A task that was ever awarded cannot be deleted, even if it was cancelled since.",
    access: "owner",
    errors: ["task-kept"],
  },
  setTaskVisibility: {
    method: "PATCH",
    path: "/tasks/:id/visibility",
    summary: "Hide a task from the public, or restore it",
    access: "operator",
    body: visibilitySchema,
    errors: ["task-not-found", "own-case"],
  },
});
