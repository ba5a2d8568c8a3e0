/*
 * The one table of the API: what can be asked for, by whom, with what, and what is answered. The server lets nobody pass
 * who is not named here (`http/permissions.ts`), the OpenAPI document is written from it, every answer in the tests is
 * checked against it, and the fuzzer reads its endpoints here.
 *
 * Not part of `index.ts`: the browser needs none of it.
 */
import * as z from "zod/mini";
import {
  deleteAnswerSchema,
  healthSchema,
  insertAnswerSchema,
  readinessSchema,
  updateAnswerSchema,
} from "./answers.ts";
import {
  awardSchema,
  bidDraftSchema,
  bidSortingSchema,
  myBidListSchema,
  pageQuerySchema,
  receivedBidListSchema,
  receivedBidsQuerySchema,
} from "./bid.ts";
import type { Endpoint } from "./endpoint.ts";
import { eventsQuerySchema, notificationListSchema, readNotificationsSchema } from "./notification.ts";
import {
  exportSchema,
  meSchema,
  overviewSchema,
  profileSchema,
  reviewDraftSchema,
  reviewListSchema,
  settingsSchema,
} from "./person.ts";
import { parameter } from "./query.ts";
import { reportDraftSchema, reportListSchema, reportSettlingSchema, visibilitySchema } from "./report.ts";
import { stateChangeSchema, taskDraftSchema, taskListSchema, taskQuerySchema, taskSchema } from "./task.ts";

/** What names the person in the link that ends e-mails. */
export const unsubscribeQuerySchema = z.object({
  person: parameter(z.string()),
  key: parameter(z.string()),
});

const inserted = { status: 201, schema: insertAnswerSchema } as const;
const updated = [{ status: 200, schema: updateAnswerSchema }] as const;
const deleted = [{ status: 200, schema: deleteAnswerSchema }] as const;

export const ENDPOINTS = {
  // Tasks
  listFeaturedTasks: {
    method: "GET",
    path: "/tasks/featuretasks",
    tag: "Tasks",
    summary: "Featured tasks",
    description: "The open tasks that Home shows.",
    who: "anyone",
    accepts: ["If-None-Match"],
    answers: [{ status: 200, schema: taskListSchema, headers: ["ETag"] }],
  },
  listTasks: {
    method: "GET",
    path: "/tasks",
    tag: "Tasks",
    summary: "List tasks",
    description:
      "With `limit` one page, and a link to the next; without it all tasks that match, streamed. `email` lists " +
      "somebody's own tasks, for themself only, in every state.",
    who: "anyone",
    query: taskQuerySchema,
    accepts: ["If-None-Match"],
    answers: [
      {
        status: 200,
        schema: taskListSchema,
        headers: ["ETag", "Link", "X-Total-Count", "X-Total-Count-Is"],
      },
    ],
    errors: ["not-signed-in", "not-your-list", "invalid-cursor", "search-too-broad"],
  },
  readTask: {
    method: "GET",
    path: "/tasks/:id",
    tag: "Tasks",
    summary: "Read one task",
    description:
      "With a token also how the caller stands to it. A hidden task is there for its owner and operators only.",
    who: "anyone",
    accepts: ["If-None-Match"],
    answers: [{ status: 200, schema: taskSchema, headers: ["ETag"] }],
    errors: ["task-not-found"],
  },
  postTask: {
    method: "POST",
    path: "/tasks",
    tag: "Tasks",
    summary: "Post a task",
    description:
      "The poster is who the token names; `email` and `name` in the payload are ignored. Repeated with the same " +
      "`Idempotency-Key`, it answers the task that there is.",
    who: "signed-in",
    body: { schema: taskDraftSchema },
    accepts: ["Idempotency-Key"],
    answers: [{ ...inserted, headers: ["Location", "Idempotency-Replayed"] }],
  },
  updateTask: {
    method: "PUT",
    path: "/tasks/:id",
    tag: "Tasks",
    summary: "Save a task",
    description: "After an award the terms are fixed, after completion everything.",
    who: "owner",
    body: { schema: taskDraftSchema },
    accepts: ["If-Match"],
    answers: updated,
    errors: ["task-not-found", "task-locked"],
  },
  changeTaskState: {
    method: "PATCH",
    path: "/tasks/:id/state",
    tag: "Tasks",
    summary: "Complete, cancel or reopen a task",
    who: "owner",
    body: { schema: stateChangeSchema },
    accepts: ["If-Match"],
    answers: updated,
    errors: ["task-not-found", "wrong-state"],
  },
  deleteTask: {
    method: "DELETE",
    path: "/tasks/:id",
    tag: "Tasks",
    summary: "Delete a task and its bids",
    who: "owner",
    answers: deleted,
    errors: ["task-not-found", "wrong-state"],
  },
  setTaskVisibility: {
    method: "PATCH",
    path: "/tasks/:id/visibility",
    tag: "Tasks",
    summary: "Hide a task from the public, or restore it",
    who: "operator",
    body: { schema: visibilitySchema },
    answers: updated,
    errors: ["task-not-found"],
  },

  // Bids
  placeBid: {
    method: "PATCH",
    path: "/tasks/:id/bid",
    tag: "Bids",
    summary: "Bid on a task, or change the own bid",
    description:
      "Without a payload, a bid at the task's fixed price. `modifiedCount` is 1 for a first bid and for a change, 0 for a " +
      "repeated one.",
    who: "not-owner",
    body: { schema: bidDraftSchema, optional: true },
    answers: updated,
    errors: ["task-not-found", "task-not-open", "task-expired"],
  },
  withdrawBid: {
    method: "DELETE",
    path: "/tasks/:id/bid",
    tag: "Bids",
    summary: "Withdraw the own bid",
    who: "signed-in",
    answers: deleted,
    errors: ["task-not-found", "wrong-state"],
  },
  listReceivedBids: {
    method: "GET",
    path: "/tasks/:id/bids",
    tag: "Bids",
    summary: "Bids on the own task",
    who: "owner",
    query: receivedBidsQuerySchema,
    answers: [{ status: 200, schema: receivedBidListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["task-not-found", "invalid-cursor"],
  },
  sortBid: {
    method: "PATCH",
    path: "/tasks/:id/bids/:bidId",
    tag: "Bids",
    summary: "Shortlist or decline a bid, or take that back",
    who: "owner",
    body: { schema: bidSortingSchema },
    answers: updated,
    errors: ["task-not-found", "bid-not-found", "wrong-state"],
  },
  awardTask: {
    method: "POST",
    path: "/tasks/:id/award",
    tag: "Bids",
    summary: "Award the task to a bid",
    description: "One winner: the same bid again changes nothing, another one is refused.",
    who: "owner",
    body: { schema: awardSchema },
    answers: updated,
    errors: ["task-not-found", "bid-not-found", "wrong-state"],
  },
  listMyBids: {
    method: "GET",
    path: "/me/bids",
    tag: "Bids",
    summary: "The caller's own bids, newest first",
    who: "signed-in",
    query: pageQuerySchema,
    answers: [{ status: 200, schema: myBidListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["invalid-cursor"],
  },

  // Me
  readMe: {
    method: "GET",
    path: "/me",
    tag: "Me",
    summary: "Who the caller is, and what they chose",
    who: "signed-in",
    answers: [{ status: 200, schema: meSchema }],
  },
  changeSettings: {
    method: "PATCH",
    path: "/me",
    tag: "Me",
    summary: "Change the settings",
    who: "signed-in",
    body: { schema: settingsSchema },
    answers: [{ status: 200, schema: meSchema }],
  },
  deleteAccount: {
    method: "DELETE",
    path: "/me",
    tag: "Me",
    summary: "Delete what the product holds about the caller",
    description: "The login must not be older than five minutes. It ends the account's sessions everywhere.",
    who: "signed-in",
    answers: deleted,
    errors: ["log-in-again"],
  },
  listNotifications: {
    method: "GET",
    path: "/me/notifications",
    tag: "Me",
    summary: "Notifications, newest first",
    who: "signed-in",
    query: pageQuerySchema,
    answers: [{ status: 200, schema: notificationListSchema, headers: ["Link", "X-Unread-Count"] }],
    errors: ["invalid-cursor"],
  },
  readNotifications: {
    method: "POST",
    path: "/me/notifications/read",
    tag: "Me",
    summary: "Mark notifications as read",
    who: "signed-in",
    body: { schema: readNotificationsSchema, optional: true },
    answers: updated,
  },
  followEvents: {
    method: "GET",
    path: "/me/events",
    tag: "Me",
    summary: "What concerns the caller, as it happens",
    description:
      "Server-sent events `notification`, `unread` and, for the task named by `task`, `task`; `Last-Event-ID` resumes.",
    who: "signed-in",
    query: eventsQuerySchema,
    accepts: ["Last-Event-ID"],
    answers: [{ status: 200, type: "text/event-stream" }],
  },
  readOverview: {
    method: "GET",
    path: "/me/overview",
    tag: "Me",
    summary: "Figures for the dashboard",
    who: "signed-in",
    answers: [{ status: 200, schema: overviewSchema }],
  },
  exportData: {
    method: "GET",
    path: "/me/export",
    tag: "Me",
    summary: "Everything the product holds about the caller",
    who: "signed-in",
    answers: [{ status: 200, schema: exportSchema, headers: ["Content-Disposition"] }],
  },
  tasksAsCsv: {
    method: "GET",
    path: "/me/tasks.csv",
    tag: "Me",
    summary: "The caller's tasks as CSV",
    who: "signed-in",
    answers: [{ status: 200, type: "text/csv", headers: ["Content-Disposition"] }],
  },
  bidsAsCsv: {
    method: "GET",
    path: "/me/bids.csv",
    tag: "Me",
    summary: "The caller's bids as CSV",
    who: "signed-in",
    answers: [{ status: 200, type: "text/csv", headers: ["Content-Disposition"] }],
  },
  showUnsubscribe: {
    method: "GET",
    path: "/me/unsubscribe",
    tag: "Me",
    summary: "The page that ends e-mails",
    description: "Changes nothing: its button does.",
    who: "anyone",
    answers: [{ status: 200, type: "text/html" }],
  },
  unsubscribe: {
    method: "POST",
    path: "/me/unsubscribe",
    tag: "Me",
    summary: "End e-mails",
    description: "The secret key of the link stands in for a login (RFC 8058).",
    who: "anyone",
    query: unsubscribeQuerySchema,
    answers: [
      { status: 200, type: "text/html" },
      { status: 404, type: "text/html", when: "The link is not valid any more" },
    ],
  },

  // People
  readProfile: {
    method: "GET",
    path: "/profiles/:id",
    tag: "People",
    summary: "What everybody may know about a person",
    who: "anyone",
    answers: [{ status: 200, schema: profileSchema }],
    errors: ["person-not-found"],
  },
  listReviews: {
    method: "GET",
    path: "/profiles/:id/reviews",
    tag: "People",
    summary: "Reviews about a person, newest first",
    who: "anyone",
    query: pageQuerySchema,
    answers: [{ status: 200, schema: reviewListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["person-not-found", "invalid-cursor"],
  },
  writeReview: {
    method: "POST",
    path: "/tasks/:id/reviews",
    tag: "People",
    summary: "Review the other side of a completed task",
    who: "sides",
    body: { schema: reviewDraftSchema },
    answers: [inserted],
    errors: ["task-not-found", "wrong-state", "already-reviewed"],
  },

  // Reports
  report: {
    method: "POST",
    path: "/reports",
    tag: "Reports",
    summary: "Report a task, or a bid on the own task",
    who: "signed-in",
    body: { schema: reportDraftSchema },
    answers: [inserted, { status: 200, schema: insertAnswerSchema, when: "The caller reported this before" }],
    errors: ["task-not-found", "bid-not-found", "not-your-task"],
  },
  listReports: {
    method: "GET",
    path: "/reports",
    tag: "Reports",
    summary: "Reports, unsettled ones first",
    who: "operator",
    query: pageQuerySchema,
    answers: [{ status: 200, schema: reportListSchema, headers: ["Link", "X-Unsettled-Count"] }],
    errors: ["invalid-cursor"],
  },
  settleReport: {
    method: "PATCH",
    path: "/reports/:id",
    tag: "Reports",
    summary: "Put a report aside as dealt with, or take that back",
    who: "operator",
    body: { schema: reportSettlingSchema },
    answers: updated,
    errors: ["report-not-found"],
  },

  // Service
  health: {
    method: "GET",
    path: "/health",
    tag: "Service",
    summary: "Is the process alive?",
    who: "anyone",
    open: true,
    answers: [{ status: 200, schema: healthSchema }],
  },
  readiness: {
    method: "GET",
    path: "/ready",
    tag: "Service",
    summary: "Can requests be served?",
    who: "anyone",
    open: true,
    answers: [
      { status: 200, schema: readinessSchema, when: "Requests can be served" },
      { status: 503, schema: readinessSchema, when: "The database is away, or this instance is stopping" },
    ],
  },
  describeApi: {
    method: "GET",
    path: "/openapi.json",
    tag: "Service",
    summary: "This document",
    who: "anyone",
    open: true,
    accepts: ["If-None-Match"],
    answers: [{ status: 200, type: "application/openapi+json", headers: ["ETag"] }],
  },
  showApi: {
    method: "GET",
    path: "/api-docs",
    tag: "Service",
    summary: "This document as a page",
    who: "anyone",
    open: true,
    answers: [{ status: 200, type: "text/html" }],
  },
  styleOfApi: {
    method: "GET",
    path: "/api-docs/style.css",
    tag: "Service",
    summary: "How that page looks",
    who: "anyone",
    open: true,
    answers: [{ status: 200, type: "text/css" }],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** The table without the exact type of each row, for those who go through all of it. */
export const ALL_ENDPOINTS: readonly (Endpoint & { name: EndpointName })[] = Object.entries(ENDPOINTS).map(
  ([name, endpoint]) => ({ ...(endpoint as Endpoint), name: name as EndpointName }),
);
