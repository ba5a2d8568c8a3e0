import * as z from "zod/mini";
import { endpoints, UPDATED } from "./endpoint.ts";
import { documentId, optionalParagraph, usd } from "./fields.ts";
import { calendarDateField } from "./task-draft.ts";

/** Characters of its texts, and how often an agreement can change. */
export const AGREEMENT_LIMITS = { scope: 2_000, note: 500, versions: 50 } as const;

const termsFields = {
  /** USD */
  amount: usd("Price"),
  due: calendarDateField("Date"),
  /** What is to be done beyond the task's description, or otherwise. */
  scope: z._default(optionalParagraph("Scope", AGREEMENT_LIMITS.scope), ""),
};

/** `PUT /tasks/:id/agreement/proposal`: the terms that the agreement should have, and why. */
export const proposalDraftSchema = z.object({
  ...termsFields,
  note: z._default(optionalParagraph("Note", AGREEMENT_LIMITS.note), ""),
});
export type ProposalDraft = z.infer<typeof proposalDraftSchema>;

/** `PATCH /tasks/:id/agreement/proposal`: the answer to a proposal; its author withdraws it with `accepted: false`. */
export const proposalAnswerSchema = z.object({
  proposalId: documentId("proposal"),
  accepted: z.boolean({ error: "Say true or false." }),
});
export type ProposalAnswer = z.infer<typeof proposalAnswerSchema>;

const side = z.enum(["client", "freelancer"]);

/** `by`: whose proposal it was; absent for the award. `at`: when it was agreed or proposed, an ISO instant. */
const versionSchema = z.object({ ...termsFields, by: z.optional(side), at: z.string() });

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
  proposal: z.optional(z.extend(versionSchema, { _id: z.string(), by: side, note: z.string() })),
});
export type Agreement = z.infer<typeof agreementSchema>;

export const agreementEndpoints = /* @__PURE__ */ endpoints("Agreements", {
  readAgreement: {
    method: "GET",
    path: "/tasks/:id/agreement",
    summary: "What client and freelancer agreed on",
    access: "sides",
    responses: [{ status: 200, schema: agreementSchema }],
    errors: ["task-not-found", "no-agreement"],
  },
  agreementAsPdf: {
    method: "GET",
    path: "/tasks/:id/agreement.pdf",
    summary: "The agreement as a document",
    access: "sides",
    responses: [{ status: 200, type: "application/pdf", headers: ["Content-Disposition"] }],
    errors: ["task-not-found", "no-agreement"],
  },
  proposeChange: {
    method: "PUT",
    path: "/tasks/:id/agreement/proposal",
    summary: "Propose another price, date or scope",
    description:
      "Until the task is completed. It replaces the caller's earlier proposal; the other side's has to be answered first.",
    access: "sides",
    body: { schema: proposalDraftSchema },
    responses: [UPDATED],
    errors: ["task-not-found", "no-agreement", "wrong-state"],
  },
  answerProposal: {
    method: "PATCH",
    path: "/tasks/:id/agreement/proposal",
    summary: "Accept or refuse a proposal, or withdraw one's own",
    description: "Accepted, it is the agreement's next version, with its price and date.",
    access: "sides",
    body: { schema: proposalAnswerSchema },
    responses: [UPDATED],
    errors: ["task-not-found", "no-agreement", "wrong-state", "changed-meanwhile"],
  },
});
