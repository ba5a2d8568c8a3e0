/** What server, client and tests agree on. Imports zod only (zod/mini: a fifth of zod's size in the browser). */
export * from "./bid.ts";
export * from "./contact.ts";
export * from "./conversation.ts";
export * from "./delivery.ts";
export * from "./errors.ts";
export * from "./fields.ts";
export * from "./notification.ts";
export * from "./person.ts";
export * from "./profile.ts";
export * from "./question.ts";
export * from "./report.ts";
export * from "./responses.ts";
export * from "./review.ts";
export * from "./saved-search.ts";
export * from "./saved-task.ts";
export * from "./task.ts";
export * from "./task-state.ts";
