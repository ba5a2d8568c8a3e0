import { endpoints } from "../endpoint.ts";
import {
  operatorLogSchema,
  pageQuerySchema,
  queueQuerySchema,
  queueSchema,
  reportSettlingSchema,
  suspensionSchema,
  updateResponseSchema,
} from "../index.ts";

const updated = [{ status: 200, schema: updateResponseSchema }] as const;

export const operatorEndpoints = endpoints("Operators", {
  listQueue: {
    method: "GET",
    path: "/operators/queue",
    summary: "What operators are to look at, unsettled first",
    description:
      "The first tasks of each client, and contact data before an award. All of it is public at once.",
    access: "operator",
    query: queueQuerySchema,
    responses: [{ status: 200, schema: queueSchema, headers: ["Link", "X-Unsettled-Count"] }],
    errors: ["invalid-cursor"],
  },
  settleQueueItem: {
    method: "PATCH",
    path: "/operators/queue/:id",
    summary: "Put an item of the queue aside as looked at, or take that back",
    access: "operator",
    body: { schema: reportSettlingSchema },
    responses: updated,
    errors: ["item-not-found"],
  },
  readOperatorLog: {
    method: "GET",
    path: "/operators/log",
    summary: "What operators did, newest first",
    access: "operator",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: operatorLogSchema, headers: ["Link"] }],
    errors: ["invalid-cursor"],
  },
  setSuspension: {
    method: "PATCH",
    path: "/profiles/:id/suspension",
    summary: "Suspend an account, or lift that",
    description:
      "The account is locked at the identity provider and its sessions end; its open tasks are hidden until the " +
      "suspension is lifted, and its bids cannot be awarded.",
    access: "operator",
    body: { schema: suspensionSchema },
    responses: updated,
    errors: ["person-not-found", "own-account"],
  },
});
