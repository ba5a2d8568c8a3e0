import type { TaskDraft } from "../../src/contract/index.ts";
import { type Action, dayIn, type Kind, type Life, REASON, REFERENCE } from "./task.ts";
import { proposedTerms } from "./work.ts";

/** What people who act in the model send to the product, without the fields of their action: `:whose` stands for a bid. */
const REQUESTS: Record<Exclude<Kind, "wait">, [method: string, path: string, body?: object]> = {
  post: ["POST", "/tasks"],
  edit: ["PUT", "/tasks/:id"],
  delete: ["DELETE", "/tasks/:id"],
  bid: ["PATCH", "/tasks/:id/bid"],
  withdraw: ["DELETE", "/tasks/:id/bid"],
  triage: ["PATCH", "/tasks/:id/bids/:whose"],
  award: ["POST", "/tasks/:id/award"],
  cancel: ["PATCH", "/tasks/:id/state", { state: "cancelled" }],
  complete: ["PATCH", "/tasks/:id/state", { state: "completed" }],
  reopen: ["PATCH", "/tasks/:id/state", { state: "open" }],
  deliver: ["POST", "/tasks/:id/deliveries", { note: "All done.", links: [] }],
  "request-changes": ["POST", "/tasks/:id/changes", { reason: REASON }],
  finish: ["POST", "/tasks/:id/completion"],
  propose: ["PUT", "/tasks/:id/agreement/proposal"],
  answer: ["PATCH", "/tasks/:id/agreement/proposal"],
  pay: ["PUT", "/tasks/:id/payment", { reference: REFERENCE }],
  confirm: ["PATCH", "/tasks/:id/payment", { note: REASON }],
  "propose-ending": ["PUT", "/tasks/:id/ending", { reason: REASON }],
  "answer-ending": ["PATCH", "/tasks/:id/ending"],
  "state-case": ["PUT", "/tasks/:id/dispute", { text: REASON }],
  decide: ["POST", "/tasks/:id/decision", { reason: REASON }],
  appeal: ["POST", "/tasks/:id/appeal", { reason: REASON }],
  review: ["POST", "/tasks/:id/reviews", { text: "As agreed." }],
  hide: ["PATCH", "/tasks/:id/visibility", { reason: "other", text: REASON }],
  suspend: ["PATCH", "/profiles/:whom/suspension", { reason: "other", text: REASON }],
  read: ["POST", "/me/notifications/read", {}],
};

/** What only the product knows: ids that it gave, its clock, and the draft that an edit replaces. */
type Known = {
  id: string;
  bidId?: string | undefined;
  proposalId?: string | undefined;
  disputeId?: string | undefined;
  draft?: Partial<TaskDraft>;
  now: number;
  task?: Life["task"];
};
const NO_ID = "0".repeat(24);

/** The request for an action. */
export function requestOf(
  action: Action,
  { id, bidId = NO_ID, proposalId = NO_ID, disputeId = NO_ID, draft, now, task }: Known,
): { method: string; path: string; body: object } {
  const { kind, deadlineIn, dueIn: _due, whose: _, whom = "", ...fields } = action as Named;
  const [method, path, more] = REQUESTS[kind];
  const body = {
    ...(kind === "edit" && draft),
    ...(kind === "award" && { bidId }),
    ...(kind === "answer" && { proposalId }),
    ...(kind === "answer-ending" && { disputeId }),
    ...(kind === "propose"
      ? proposedTerms({ now, ...(task && { task }) }, action as never)
      : { ...more, ...fields }),
    ...(deadlineIn !== undefined && { deadline: dayIn({ now }, deadlineIn) }),
  };
  return {
    method,
    path: path.replace(":id", id).replace(":whose", bidId).replace(":whom", whom),
    body,
  };
}
type Named = {
  kind: keyof typeof REQUESTS;
  deadlineIn?: number;
  dueIn?: number;
  whose?: string;
  whom?: string;
};
