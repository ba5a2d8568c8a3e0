import * as z from "zod/mini";
import { endpoints, ok } from "./endpoint.ts";
import { atMost, httpsLink, paragraph, sideSchema } from "./fields.ts";
import { fileIds } from "./file.ts";
import { TASK_LIMITS } from "./values.ts";

/** Bounds of a delivery and of a change request: characters, and number of links. */
export const DELIVERY_LIMITS = { note: 2_000, links: 5, link: 2_000, reason: TASK_LIMITS.reason } as const;

/** Days after a delivery on which a client who has not reacted is reminded. */
export const REMIND_AFTER_DAYS = [7, 12] as const;
/** Days after a delivery from which the freelancer may mark the task as completed. */
export const DAYS_TO_REACT = 14;

// @__NO_SIDE_EFFECTS__
function linkList() {
  return z
    .array(httpsLink("Each link", DELIVERY_LIMITS.link), { error: "Give the links as a list." })
    .check(atMost(DELIVERY_LIMITS.links, `Give at most ${DELIVERY_LIMITS.links} links.`));
}

const note = paragraph("Note", DELIVERY_LIMITS.note);
const links = linkList();
const reason = paragraph("Reason", DELIVERY_LIMITS.reason);

/** `POST /tasks/:id/deliveries`: what the hired freelancer delivers. */
export const deliveryDraftSchema = z.object({ note, links, files: fileIds() });

/** `POST /tasks/:id/changes`: why the client sends a delivery back. */
export const changeRequestSchema = z.object({ reason });

/** Events that only the client and the freelancer hired at the time can see. */
export const PRIVATE_KINDS = [
  "change-proposed",
  "change-accepted",
  "change-refused",
  "change-withdrawn",
  "delivered",
  "changes-requested",
  "milestone-accepted",
  "payment-sent",
  "payment-received",
  "payment-missing",
] as const;
/** The kinds of events in a task's timeline. */
export const TIMELINE_KINDS = [
  ...(["posted", "awarded", "completed", "cancelled", "closed", "reopened"] as const),
  ...PRIVATE_KINDS,
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** One event of a task's timeline. `at` is an ISO instant; the fields after it are for the two sides only. */
export const timelineEntrySchema = z.object({
  _id: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  at: z.string(),
  /** Who did it; absent if it happened automatically. */
  by: z.optional(sideSchema),
  /** With `delivered` and `payment-missing`; with `milestone-accepted` its name. Removed when its author deletes their account, like a reason. */
  note: z.optional(note),
  links: z.optional(links),
  /** With `changes-requested`, and with `cancelled` after an award. */
  reason: z.optional(reason),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** `GET /tasks/:id/timeline`: the events, oldest first. */
export const timelineSchema = z.object({
  entries: z.array(timelineEntrySchema),
  /** While delivered work waits for the client, not an operator: ISO instant from which the freelancer may complete the task. */
  mayCompleteFrom: z.optional(z.string()),
});
export type Timeline = z.infer<typeof timelineSchema>;

export const deliveryEndpoints = /* @__PURE__ */ endpoints("Delivery", {
  deliverWork: {
    method: "POST",
    path: "/tasks/:id/deliveries",
    summary: "Deliver the work on a task",
    description: "The client is notified, and marks the task as completed or requests changes.",
    access: "hired",
    body: deliveryDraftSchema,
    errors: ["wrong-state"],
  },
  requestChanges: {
    method: "POST",
    path: "/tasks/:id/changes",
    summary: "Send delivered work back with a reason",
    description: "The task is `awarded` again until the next delivery.",
    access: "owner",
    body: changeRequestSchema,
    errors: ["wrong-state"],
  },
  completeUnanswered: {
    method: "POST",
    path: "/tasks/:id/completion",
    summary: "Mark delivered work as completed on behalf of its client",
    description: `For the freelancer, once the client has not reacted to the delivery for ${DAYS_TO_REACT} days. Both may review.`,
    access: "hired",
    errors: ["wrong-state"],
  },
  readTimeline: {
    method: "GET",
    path: "/tasks/:id/timeline",
    summary: "What has happened to a task, oldest first",
    description:
      "Everybody sees when it was posted, awarded, completed, cancelled and reopened. Its client and the freelancer " +
      "hired at the time also see who did it, what was delivered and why changes were requested.",
    access: "anyone",
    responses: [ok(timelineSchema)],
    errors: ["task-not-found"],
  },
});
