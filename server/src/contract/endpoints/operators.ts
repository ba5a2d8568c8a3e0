import { endpoints, UPDATED } from "../endpoint.ts";
import {
  jobRetrySchema,
  jobSummariesSchema,
  operatorLogSchema,
  pageQuerySchema,
  queueQuerySchema,
  queueSchema,
  reportSettlingSchema,
  suspensionSchema,
} from "../index.ts";

export const operatorEndpoints = endpoints("Operators", {
  listQueue: {
    method: "GET",
    path: "/operators/queue",
    summary: "The review queue of operators, open items first",
    description:
      "Each client's first tasks, and contact data before an award. They are public while they wait.",
    access: "operator",
    query: queueQuerySchema,
    responses: [{ status: 200, schema: queueSchema, headers: ["Link"] }],
    errors: ["invalid-cursor"],
  },
  settleQueueItem: {
    method: "PATCH",
    path: "/operators/queue/:id",
    summary: "Mark an item of the queue as checked, or reopen it",
    access: "operator",
    body: { schema: reportSettlingSchema },
    responses: [UPDATED],
    errors: ["item-not-found", "own-case"],
  },
  readOperatorLog: {
    method: "GET",
    path: "/operators/log",
    summary: "The log of operators' actions, newest first",
    access: "operator",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: operatorLogSchema, headers: ["Link"] }],
    errors: ["invalid-cursor"],
  },
  listJobs: {
    method: "GET",
    path: "/operators/jobs",
    summary: "What is done later: for each kind, how much waits or failed",
    access: "operator",
    responses: [{ status: 200, schema: jobSummariesSchema }],
  },
  retryJobs: {
    method: "PATCH",
    path: "/operators/jobs",
    summary: "Run all failed jobs of a kind again",
    access: "operator",
    body: { schema: jobRetrySchema },
    responses: [UPDATED],
  },
  setSuspension: {
    method: "PATCH",
    path: "/profiles/:id/suspension",
    summary: "Suspend an account, or lift the suspension",
    description:
      "Until it is lifted, all requests of the account are refused with the reason, its open tasks are hidden, and " +
      "its bids cannot be awarded.",
    access: "operator",
    body: { schema: suspensionSchema },
    responses: [UPDATED],
    errors: ["person-not-found", "own-case"],
  },
});
