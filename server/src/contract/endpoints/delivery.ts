import { endpoints, UPDATED } from "../endpoint.ts";
import { changeRequestSchema, DAYS_TO_REACT, deliveryDraftSchema, timelineSchema } from "../index.ts";

export const deliveryEndpoints = endpoints("Delivery", {
  deliverWork: {
    method: "POST",
    path: "/tasks/:id/deliveries",
    summary: "Deliver the work on a task",
    description: "The client is notified, and marks the task as completed or requests changes.",
    access: "hired",
    body: { schema: deliveryDraftSchema },
    responses: [UPDATED],
    errors: ["task-not-found", "wrong-state"],
  },
  requestChanges: {
    method: "POST",
    path: "/tasks/:id/changes",
    summary: "Send delivered work back with a reason",
    description: "The task is `awarded` again until the next delivery.",
    access: "owner",
    body: { schema: changeRequestSchema },
    responses: [UPDATED],
    errors: ["task-not-found", "wrong-state"],
  },
  completeUnanswered: {
    method: "POST",
    path: "/tasks/:id/completion",
    summary: "Mark delivered work as completed on behalf of its client",
    description: `For the freelancer, once the client has not reacted to the delivery for ${DAYS_TO_REACT} days. Both may review.`,
    access: "hired",
    responses: [UPDATED],
    errors: ["task-not-found", "wrong-state"],
  },
  readTimeline: {
    method: "GET",
    path: "/tasks/:id/timeline",
    summary: "What has happened to a task, oldest first",
    description:
      "Everybody sees when it was posted, awarded, completed, cancelled and reopened. Its client and the freelancer " +
      "hired at the time also see who did it, what was delivered and why changes were requested.",
    access: "anyone",
    responses: [{ status: 200, schema: timelineSchema }],
    errors: ["task-not-found"],
  },
});
