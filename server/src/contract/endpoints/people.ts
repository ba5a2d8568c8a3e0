import { endpoints, INSERTED, UPDATED } from "../endpoint.ts";
import {
  avatarQuerySchema,
  directoryQuerySchema,
  directorySchema,
  pageQuerySchema,
  profileSchema,
  reportDraftSchema,
  reportListSchema,
  reportQuerySchema,
  reportSettlingSchema,
  reviewDraftSchema,
  reviewListSchema,
} from "../index.ts";

export const peopleEndpoints = endpoints("People", {
  listPeople: {
    method: "GET",
    path: "/profiles",
    summary: "People who offer work, the most recently active first",
    description:
      "Those who have written a headline or skills in their profile and have not opted out. A search looks at the 20,000 most recently active.",
    access: "anyone",
    query: directoryQuerySchema,
    responses: [{ status: 200, schema: directorySchema, headers: ["Link"] }],
    errors: ["invalid-cursor"],
  },
  readProfile: {
    method: "GET",
    path: "/profiles/:id",
    summary: "A person's public profile",
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
  drawAvatar: {
    method: "GET",
    path: "/avatar.svg",
    summary: "A picture of somebody's initials",
    access: "anyone",
    query: avatarQuerySchema,
    responses: [{ status: 200, type: "image/svg+xml" }],
  },
  writeReview: {
    method: "POST",
    path: "/tasks/:id/reviews",
    summary: "Review the other side of a completed task",
    access: "sides",
    body: { schema: reviewDraftSchema },
    responses: [INSERTED],
    errors: ["task-not-found", "person-not-found", "wrong-state", "already-reviewed"],
  },
});

export const reportEndpoints = endpoints("Reports", {
  report: {
    method: "POST",
    path: "/reports",
    summary: "Report a task, a question on it, a bid on the caller's task, or a conversation",
    description:
      "If the same person reports it again, a resolved report is reopened; an open one is left unchanged.",
    access: "signed-in",
    body: { schema: reportDraftSchema },
    responses: [INSERTED, { ...INSERTED, status: 200, when: "The caller reported this before" }],
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
    summary: "Reports, open ones first",
    access: "operator",
    query: reportQuerySchema,
    responses: [{ status: 200, schema: reportListSchema, headers: ["Link"] }],
    errors: ["invalid-cursor"],
  },
  settleReport: {
    method: "PATCH",
    path: "/reports/:id",
    summary: "Resolve or reopen a report",
    access: "operator",
    body: { schema: reportSettlingSchema },
    responses: [UPDATED],
    errors: ["report-not-found", "own-case"],
  },
});
