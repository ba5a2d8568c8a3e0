import * as z from "zod/mini";

/**
 * Every error of the API: its HTTP status and the short title shown for it.
 * Server and client read the same registry, so they cannot drift apart.
 */
export const ERRORS = {
  "invalid-json": { status: 400, title: "The request body is not valid JSON" },
  "invalid-id": { status: 400, title: "This is not a valid id" },
  "invalid-cursor": { status: 400, title: "This page link is not valid" },
  "bad-request": { status: 400, title: "The request could not be understood" },
  "not-signed-in": { status: 401, title: "Please log in to continue" },
  "session-expired": { status: 401, title: "Your session has expired, please log in again" },
  "not-your-task": { status: 403, title: "This task belongs to someone else" },
  "not-your-list": { status: 403, title: "You can only list your own tasks" },
  "own-task": { status: 403, title: "This is your own task" },
  "not-a-side": { status: 403, title: "Only the client of this task and its hired freelancer can do this" },
  "not-hired": { status: 403, title: "Only the freelancer who is hired for this task can do this" },
  "account-suspended": { status: 403, title: "Your account is suspended" },
  "own-case": { status: 403, title: "This concerns you, so another operator decides" },
  "not-an-operator": { status: 403, title: "Only operators may do this" },
  "log-in-again": { status: 403, title: "Please confirm your password first" },
  "origin-not-allowed": { status: 403, title: "This site may not call the API" },
  "route-not-found": { status: 404, title: "Nothing was found at this address" },
  "task-not-found": { status: 404, title: "This task no longer exists" },
  "bid-not-found": { status: 404, title: "This bid no longer exists" },
  "question-not-found": { status: 404, title: "This question no longer exists" },
  "person-not-found": { status: 404, title: "This profile does not exist" },
  "conversation-not-found": { status: 404, title: "This conversation does not exist" },
  "search-not-found": { status: 404, title: "This saved search no longer exists" },
  "report-not-found": { status: 404, title: "This report no longer exists" },
  "item-not-found": { status: 404, title: "This queue item no longer exists" },
  "method-not-allowed": { status: 405, title: "This cannot be done at this address" },
  "too-slow": { status: 408, title: "The request took too long to arrive" },
  "task-expired": { status: 409, title: "The deadline of this task has passed" },
  "task-not-open": { status: 409, title: "This task no longer takes bids" },
  "questions-closed": { status: 409, title: "The client takes no more questions on this task" },
  "questions-used-up": { status: 409, title: "You have reached the limit of questions on this task" },
  "question-answered": { status: 409, title: "An answered question cannot be deleted" },
  "bid-limit-reached": { status: 409, title: "You have placed as many bids as one day allows" },
  "task-limit-reached": { status: 409, title: "You have posted as many tasks as one day allows" },
  "task-locked": { status: 409, title: "The terms of this task are fixed" },
  "task-kept": { status: 409, title: "An awarded task cannot be deleted" },
  "wrong-state": { status: 409, title: "This is not possible in the task's current state" },
  "too-many-saved": { status: 409, title: "You have reached the limit of saved tasks" },
  "bid-not-shortlisted": { status: 409, title: "Shortlist this bid before you write to its freelancer" },
  "conversation-closed": { status: 409, title: "This conversation no longer takes messages" },
  "too-many-searches": { status: 409, title: "You have reached the limit of saved searches" },
  "freelancer-suspended": { status: 409, title: "This freelancer's account is suspended" },
  "cannot-invite": { status: 409, title: "This person takes no invitations from you" },
  "too-many-invited": { status: 409, title: "You have invited as many people to this task as possible" },
  "no-dispute": { status: 404, title: "Nobody has proposed to end this task" },
  "file-not-found": { status: 404, title: "This file does not exist" },
  "upload-limit-reached": { status: 409, title: "You have uploaded as much as one day allows" },
  "invoice-not-found": { status: 404, title: "This invoice does not exist" },
  "no-agreement": { status: 404, title: "There is no agreement on this task" },
  "review-not-found": { status: 404, title: "This review does not exist" },
  "review-fixed": { status: 409, title: "This cannot be changed anymore" },
  "already-reviewed": { status: 409, title: "You have already reviewed this task" },
  "changed-meanwhile": { status: 412, title: "This was changed in the meantime" },
  "too-large": { status: 413, title: "The request is too large" },
  "not-json": { status: 415, title: "The request body must be JSON" },
  "search-too-broad": { status: 422, title: "This search matches too many tasks, please narrow it down" },
  invalid: { status: 422, title: "Some fields need another look" },
  "key-reused": { status: 422, title: "This Idempotency-Key was used for another request" },
  "too-many-requests": { status: 429, title: "Too many requests, please wait a moment" },
  "headers-too-large": { status: 431, title: "The address or the headers are too long" },
  internal: { status: 500, title: "Something went wrong on our side" },
  unavailable: { status: 503, title: "The service is not available right now" },
  "outcome-unknown": { status: 503, title: "We do not know whether this was done" },
} as const satisfies Record<string, { status: number; title: string }>;

/** The name of one entry of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** One wrong value: a JSON pointer into the body (RFC 6901, as a URI fragment) or the name of a query parameter. */
export const fieldErrorSchema = z.object({
  pointer: z.optional(z.string()),
  parameter: z.optional(z.string()),
  detail: z.string(),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** The body of every error response, `application/problem+json` (RFC 9457). */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  requestId: z.optional(z.string()),
  errors: z.optional(z.array(fieldErrorSchema)),
  /** With `changed-meanwhile`: the current version. */
  version: z.optional(z.number()),
});
export type Problem = z.infer<typeof problemSchema>;

/** The `type` URI of an error: a tag URI (RFC 4151), which does not suggest that there is a page to open. */
export function problemType(code: ErrorCode): string {
  return `tag:tasklane.example,2026:problem:${code}`;
}
