import * as z from "zod/mini";
import { download, endpoints, ok } from "./endpoint.ts";
import {
  atMost,
  calendarDateField,
  documentId,
  line,
  optionalParagraph,
  sideSchema,
  trueOrFalse,
  usd,
} from "./fields.ts";

/** Characters of its texts, and how often an agreement can change. */
export const AGREEMENT_LIMITS = {
  scope: 2_000,
  note: 500,
  versions: 50,
  milestones: 10,
  milestone: 120,
} as const;

/** A named part of the work with its price (USD) and date, delivered and accepted by itself. */
export const milestoneSchema = z.object({
  name: line("Name", AGREEMENT_LIMITS.milestone),
  amount: usd("Price"),
  due: calendarDateField("Date"),
});
export type Milestone = z.infer<typeof milestoneSchema>;

// @__NO_SIDE_EFFECTS__
function milestoneList() {
  return z
    .array(milestoneSchema, { error: "Give the milestones as a list." })
    .check(
      atMost(AGREEMENT_LIMITS.milestones, `Agree on at most ${AGREEMENT_LIMITS.milestones} milestones.`),
    );
}

const termsFields = {
  /** USD */
  amount: usd("Price"),
  due: calendarDateField("Date"),
  /** What is to be done beyond the task's description, or otherwise. */
  scope: z._default(optionalParagraph("Scope", AGREEMENT_LIMITS.scope), ""),
  /** In order; their prices sum to the price, and the last date is the date. Empty: the work is one whole. */
  milestones: z._default(milestoneList(), []),
};

const cents = (usd: number) => Math.round(usd * 100);

type Sums = { amount: number; due: string; milestones: readonly Milestone[] };

/** What is wrong with milestones for these terms; undefined if nothing is. */
function milestonesError({ amount, due, milestones }: Sums): string | undefined {
  if (milestones.length === 0) return undefined;
  if (milestones.length === 1) return "One milestone is the whole work: add another, or remove it.";
  if (milestones.reduce((sum, each) => sum + cents(each.amount), 0) !== cents(amount))
    return "The prices of the milestones have to sum to the price.";
  if (milestones.some((each, at) => at > 0 && each.due < (milestones[at - 1]?.due ?? "")))
    return "Each milestone is due with the one before it, or later.";
  return milestones.at(-1)?.due === due ? undefined : "The date is that of the last milestone.";
}

/** Checks that the milestones of a schema's output have its price and its date. */
export function checkMilestones(payload: z.core.ParsePayload<Sums>): void {
  const message = milestonesError(payload.value);
  if (message) payload.issues.push({ code: "custom", path: ["milestones"], input: payload.value, message });
}

// @__NO_SIDE_EFFECTS__
function withSums() {
  return z
    .object({ ...termsFields, note: z._default(optionalParagraph("Note", AGREEMENT_LIMITS.note), "") })
    .check(checkMilestones);
}

/** `PUT /tasks/:id/agreement/proposal`: the terms that the agreement should have, and why. */
export const proposalDraftSchema = withSums();
export type ProposalDraft = z.infer<typeof proposalDraftSchema>;

/** `PATCH /tasks/:id/agreement/proposal`: the answer to a proposal; its author withdraws it with `accepted: false`. */
export const proposalAnswerSchema = z.object({
  proposalId: documentId("proposal"),
  accepted: trueOrFalse(),
});
export type ProposalAnswer = z.infer<typeof proposalAnswerSchema>;

/** `by`: whose proposal it was; absent for the award. `at`: when it was agreed or proposed, an ISO instant. */
const versionSchema = z.object({
  ...termsFields,
  milestones: z.optional(z.array(milestoneSchema)),
  by: z.optional(sideSchema),
  at: z.string(),
});

/** `GET /tasks/:id/agreement`: what client and freelancer agreed on. The last version counts. */
export const agreementSchema = z.object({
  client: z.string(),
  freelancer: z.string(),
  /** The task's terms, and the bid's message and answer, as they stood at the award. */
  title: z.string(),
  description: z.string(),
  message: z.optional(z.string()),
  question: z.optional(z.string()),
  answer: z.optional(z.string()),
  versions: z.array(versionSchema),
  proposal: z.optional(z.extend(versionSchema, { _id: z.string(), by: sideSchema, note: z.string() })),
});
export type Agreement = z.infer<typeof agreementSchema>;

export const agreementEndpoints = /* @__PURE__ */ endpoints("Agreements", {
  readAgreement: {
    method: "GET",
    path: "/tasks/:id/agreement",
    summary: "What client and freelancer agreed on",
    access: "sides",
    responses: [ok(agreementSchema)],
    errors: ["no-agreement"],
  },
  agreementAsPdf: {
    method: "GET",
    path: "/tasks/:id/agreement.pdf",
    summary: "The agreement as a document",
    access: "sides",
    responses: [download("application/pdf")],
    errors: ["no-agreement"],
  },
  proposeChange: {
    method: "PUT",
    path: "/tasks/:id/agreement/proposal",
    summary: "Propose another price, date or scope, or milestones",
    description:
      "Until the task is completed. It replaces the caller's earlier proposal; the other side's has to be answered first.",
    access: "sides",
    body: proposalDraftSchema,
    errors: ["no-agreement", "wrong-state"],
  },
  answerProposal: {
    method: "PATCH",
    path: "/tasks/:id/agreement/proposal",
    summary: "Accept or refuse a proposal, or withdraw one's own",
    description: "Accepted, it is the agreement's next version, with its price and date.",
    access: "sides",
    body: proposalAnswerSchema,
    errors: ["no-agreement", "wrong-state", "changed-meanwhile"],
  },
});
