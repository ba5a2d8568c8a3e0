import * as z from "zod/mini";
import { bidSchema } from "./bid-answer.ts";
import { MAX_USD } from "./money.ts";
import { TASK_STATES } from "./task-state.ts";

// Apart from what is sent: every page with a task loads this, and only forms load that.

/** The four fixed task categories (SPEC section 3). */
export const CATEGORIES = ["Web Development", "Design", "Writing", "Marketing"] as const;
export type Category = (typeof CATEGORIES)[number];

export const categorySchema = z.enum(CATEGORIES, {
  error: `Choose a category: ${CATEGORIES.join(", ")}.`,
});

/** Orders of a list by deadline. */
export const SORTS = ["asc", "desc"] as const;
export type Sort = (typeof SORTS)[number];

/** Bounds of a task's fields: characters, USD, and tasks in one page. */
export const TASK_LIMITS = { title: 120, description: 5000, budgetUsd: MAX_USD, pageSize: 100 } as const;

/**
 * How many addresses of others somebody can look up in a day: of different posters; and of freelancers of tasks whose
 * earlier award was voided. Whoever hires or was hired needs none of it.
 */
export const ADDRESSES_PER_DAY = { posters: 200, rehired: 10 } as const;

/**
 * How the signed-in caller stands to a task; only in the answer of `GET /tasks/:id` with a token.
 * `contact` is the other side of an award, for the client and the hired freelancer only.
 */
export const taskViewerSchema = z.object({
  isOwner: z.boolean(),
  hasBid: z.boolean(),
  role: z.enum(["client", "hired", "freelancer"]),
  /** The caller's own bid. */
  bid: z.optional(bidSchema),
  contact: z.optional(
    z.object({ id: z.string(), name: z.string(), email: z.string(), emailVerified: z.boolean() }),
  ),
  /** True if an address is left out because the caller has seen as many as one may in a day. */
  addressLimitReached: z.optional(z.boolean()),
  hasReviewed: z.boolean(),
  /** The owner's choice; see the form. */
  showEmail: z.optional(z.boolean()),
});

/**
 * A task as the API answers it. `budget` in USD, `deadline` a calendar date, `createdAt` an ISO instant.
 * `email` (of the poster) is there for the poster, and where one task is read with a token also for others, if the poster
 * left that on; then `emailVerified` says whether it was proved to be theirs. `viewer` only for one task read with a token;
 * `hidden` for those who see a hidden task; `wasAwarded` for its owner, if it was ever awarded: it cannot be deleted.
 */
export const taskSchema = z.object({
  _id: z.string(),
  title: z.string(),
  category: z.enum(CATEGORIES),
  description: z.string(),
  deadline: z.string(),
  budget: z.number(),
  name: z.string(),
  email: z.optional(z.string()),
  emailVerified: z.optional(z.boolean()),
  clientImage: z.optional(z.string()),
  bidsCount: z.number(),
  createdAt: z.string(),
  state: z.enum(TASK_STATES),
  /** The poster, as in `GET /people/:id`. */
  clientId: z.string(),
  /** Rises with every save. */
  version: z.number(),
  hidden: z.optional(z.boolean()),
  wasAwarded: z.optional(z.boolean()),
  viewer: z.optional(taskViewerSchema),
});
export type Task = z.infer<typeof taskSchema>;
export const taskListSchema = z.array(taskSchema);
