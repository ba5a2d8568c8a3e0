import { endpoints } from "../endpoint.ts";
import {
  insertResponseSchema,
  pageQuerySchema,
  profileSchema,
  reportDraftSchema,
  reportListSchema,
  reportQuerySchema,
  reportSettlingSchema,
  reviewDraftSchema,
  reviewListSchema,
  updateResponseSchema,
} from "../index.ts";

const inserted = { status: 201, schema: insertResponseSchema } as const;
const updated = [{ status: 200, schema: updateResponseSchema }] as const;

export const peopleEndpoints = endpoints("People", {
  readProfile: {
    method: "GET",
    path: "/profiles/:id",
    summary: "What everybody may know about a person",
    access: "anyone",
    responses: [{ status: 200, schema: profileSchema }],
    errors: ["person-not-found"],
  },
  listReviews: {
    method: "GET",
    path: "/profiles/:id/reviews",
    summary: "Reviews about a person, newest first",
    access: "anyone",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: reviewListSchema, headers: ["Link", "X-Total-Count"] }],
    errors: ["person-not-found", "invalid-cursor"],
  },
  writeReview: {
    method: "POST",
    path: "/tasks/:id/reviews",
    summary: "Review the other side of a completed task",
    access: "sides",
    body: { schema: reviewDraftSchema },
    responses: [inserted],
    errors: ["task-not-found", "person-not-found", "wrong-state", "already-reviewed"],
  },
});

export const reportEndpoints = endpoints("Reports", {
  report: {
    method: "POST",
    path: "/reports",
    summary: "Report a task, a question on it, a bid on the own task, or a conversation",
    description:
      "Reported again by the same person, a settled report is open again; one that waits stays as it is.",
    access: "signed-in",
    body: { schema: reportDraftSchema },
    responses: [
      inserted,
      { status: 200, schema: insertResponseSchema, when: "The caller reported this before" },
    ],
    errors: [
      "task-not-found",
      "bid-not-found",
      "question-not-found",
      "conversation-not-found",
      "not-your-task",
    ],
  },
  listReports: {
    method: "GET",
    path: "/reports",
    summary: "Reports, unsettled ones first",
    access: "operator",
    query: reportQuerySchema,
    responses: [{ status: 200, schema: reportListSchema, headers: ["Link", "X-Unsettled-Count"] }],
    errors: ["invalid-cursor"],
  },
  settleReport: {
    method: "PATCH",
    path: "/reports/:id",
    summary: "Put a report aside as dealt with, or take that back",
    access: "operator",
    body: { schema: reportSettlingSchema },
    responses: updated,
    errors: ["report-not-found"],
  },
});
