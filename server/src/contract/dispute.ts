import * as z from "zod/mini";
import { agreementSchema } from "./agreement.ts";
import { endpoints, ok } from "./endpoint.ts";
import { documentId, paragraph, sideSchema, trueOrFalse } from "./fields.ts";
import { fileIds, fileListSchema } from "./file.ts";
import { MAX_USD } from "./values.ts";

/** Characters of its texts, and how many of the latest messages a side can submit. */
export const DISPUTE_LIMITS = { reason: 1_000, statement: 3_000, messages: 50 } as const;

/**
 * Days after which an unanswered proposal becomes a dispute and a decision takes effect, and after which the decision takes
 * effect all the same if no other operator has decided on an appeal.
 */
export const DISPUTE_DAYS = { step: 7, appeal: 30 } as const;

// @__NO_SIDE_EFFECTS__
function share() {
  return z
    .number({ error: "Enter what the freelancer gets as a number of US dollars; 0 for nothing." })
    .check(
      z.gte(0, "It cannot be less than nothing."),
      z.lte(MAX_USD, "It can be at most the agreed price."),
      z.refine((usd) => Math.round(usd * 100) / 100 === usd, "It can have at most two decimals."),
      // Without the sign of -0.
      z.overwrite(Math.abs),
    );
}

/** `PUT /tasks/:id/ending` and `POST /tasks/:id/decision`: what the freelancer gets (USD, up to the agreed price), and why. */
export const endingDraftSchema = z.object({
  share: share(),
  reason: paragraph("Reason", DISPUTE_LIMITS.reason),
});
export type EndingDraft = z.infer<typeof endingDraftSchema>;

/** `PATCH /tasks/:id/ending`: the answer to the proposal with this id. Whoever proposed it withdraws it with `accepted: false`. */
export const endingAnswerSchema = z.object({ disputeId: documentId("proposal"), accepted: trueOrFalse() });
export type EndingAnswer = z.infer<typeof endingAnswerSchema>;

/** `PUT /tasks/:id/dispute`: one side's case; with `messages`, the latest of their conversation are submitted, too. */
export const statementSchema = z.object({
  text: paragraph("Statement", DISPUTE_LIMITS.statement),
  messages: z._default(trueOrFalse(), false),
  files: fileIds(),
});
export type Statement = z.infer<typeof statementSchema>;

/** `POST /tasks/:id/appeal`. */
export const appealSchema = z.object({ reason: paragraph("Reason", DISPUTE_LIMITS.reason) });

/**
 * `proposed` waits for the other side's answer; `refused` can become a dispute; `disputed` waits for an operator;
 * `decided` takes effect unless somebody appeals; `ended` is over.
 */
export const DISPUTE_STATES = ["proposed", "refused", "disputed", "decided", "ended"] as const;

/** `GET /tasks/:id/ending`. Instants are ISO. */
export const disputeSchema = z.object({
  _id: z.string(),
  state: z.enum(DISPUTE_STATES),
  /** Who proposed to end the task, when, and how; a decision, or what was agreed since, may have ended it otherwise. */
  by: sideSchema,
  at: z.string(),
  share: z.number(),
  reason: z.string(),
  client: z.string(),
  freelancer: z.string(),
  statements: z.object({ client: z.optional(z.string()), freelancer: z.optional(z.string()) }),
  messages: z.optional(
    z.array(
      z.object({ by: sideSchema, text: z.string(), at: z.string(), files: z.optional(fileListSchema) }),
    ),
  ),
  /** The second one follows an appeal, and is final. */
  decisions: z.array(z.object({ share: z.number(), reason: z.string(), at: z.string() })),
  appeal: z.optional(z.object({ by: sideSchema, reason: z.string() })),
  /** When a decision takes effect, also one that an appeal is not decided on, or an unanswered proposal becomes a dispute. */
  due: z.optional(z.string()),
  /** For operators: whether it waits for them. An appeal waits for another one than who decided first. */
  mayDecide: z.optional(z.boolean()),
  /** For operators. */
  agreement: z.optional(agreementSchema),
  /** For operators: what milestones were accepted for (USD), which the freelancer gets in any case. */
  owed: z.optional(z.number()),
});
export type Dispute = z.infer<typeof disputeSchema>;

/** `dispute` is absent if nobody has proposed to end the task. */
export const endingSchema = z.object({ dispute: z.optional(disputeSchema) });

export const disputeEndpoints = /* @__PURE__ */ endpoints("Disputes", {
  readDispute: {
    method: "GET",
    path: "/tasks/:id/ending",
    summary: "The proposal to end a task early, and the dispute about it",
    access: "sides-or-operator",
    responses: [ok(endingSchema)],
  },
  proposeEnding: {
    method: "PUT",
    path: "/tasks/:id/ending",
    summary: "Propose to end a task early, with what the freelancer gets",
    access: "sides",
    body: endingDraftSchema,
    errors: ["wrong-state"],
  },
  answerEnding: {
    method: "PATCH",
    path: "/tasks/:id/ending",
    summary: "Accept or refuse to end a task early, or withdraw the caller's own proposal",
    description: "Accepted, the task is completed at that price; without any, it is cancelled.",
    access: "sides",
    body: endingAnswerSchema,
    errors: ["no-dispute", "wrong-state", "changed-meanwhile"],
  },
  stateCase: {
    method: "PUT",
    path: "/tasks/:id/dispute",
    summary: "Open a dispute, or state the caller's case in it",
    access: "sides",
    body: statementSchema,
    errors: ["no-dispute", "wrong-state"],
  },
  decideDispute: {
    method: "POST",
    path: "/tasks/:id/decision",
    summary: "Decide a dispute",
    description:
      "It takes effect after a week, unless a side appeals to another operator, whose decision is final; if nobody else " +
      "decides within 30 days, the first one stands. When a side deletes their account, the last decision takes effect " +
      "at once.",
    access: "operator",
    body: endingDraftSchema,
    errors: ["task-not-found", "no-dispute", "wrong-state", "own-case"],
  },
  appeal: {
    method: "POST",
    path: "/tasks/:id/appeal",
    summary: "Appeal to another operator, once",
    access: "sides",
    body: appealSchema,
    errors: ["no-dispute", "wrong-state"],
  },
});
