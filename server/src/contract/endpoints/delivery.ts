import { endpoints } from "../endpoint.ts";
import {
  changeRequestSchema,
  DAYS_TO_REACT,
  deliveryDraftSchema,
  timelineSchema,
  updateResponseSchema,
} from "../index.ts";

const updated = [{ status: 200, schema: updateResponseSchema }] as const;

export const deliveryEndpoints = endpoints("Delivery", {
  deliverWork: {
    method: "POST",
    path: "/tasks/:id/deliveries",
    summary: "Hand in the work on a task",
    description: "The client is told, and marks the task as completed or asks for changes.",
    access: "hired",
    body: { schema: deliveryDraftSchema },
    responses: updated,
    errors: ["task-not-found", "wrong-state"],
  },
  requestChanges: {
    method: "POST",
    path: "/tasks/:id/changes",
    summary: "Send delivered work back with a reason",
    description: "The task is awarded again, until the freelancer delivers anew.",
    access: "owner",
    body: { schema: changeRequestSchema },
    responses: updated,
    errors: ["task-not-found", "wrong-state"],
  },
  completeUnanswered: {
    method: "POST",
    path: "/tasks/:id/completion",
    summary: "Mark delivered work as completed in place of its client",
    description: `For the freelancer, once the client has not reacted to the delivery for ${DAYS_TO_REACT} days. Both may review.`,
    access: "hired",
    responses: updated,
    errors: ["task-not-found", "wrong-state"],
  },
  readTimeline: {
    method: "GET",
    path: "/tasks/:id/timeline",
    summary: "What has happened to a task, oldest first",
    description:
      "Everybody reads when it was posted, awarded, completed, cancelled and reopened; its client, and the freelancer who " +
      "was hired at that time, also who did it, what was delivered and why changes were asked for.",
    access: "anyone",
    responses: [{ status: 200, schema: timelineSchema }],
    errors: ["task-not-found"],
  },
});
