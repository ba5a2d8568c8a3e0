import * as z from "zod/mini";
import { DELETED, endpoints, UPDATED } from "../endpoint.ts";
import {
  deletionQuerySchema,
  eventsQuerySchema,
  exportSchema,
  meSchema,
  notificationListSchema,
  overviewSchema,
  ownProfileSchema,
  pageQuerySchema,
  profileDraftSchema,
  readNotificationsSchema,
  recommendationListSchema,
  settingsSchema,
} from "../index.ts";

/** Parameters of an unsubscribe link. A missing or repeated one counts as empty, which matches nobody's key. */
export const unsubscribeQuerySchema = z.object({
  person: z.catch(z.string(), ""),
  key: z.catch(z.string(), ""),
});

export const myEndpoints = endpoints("Me", {
  readMe: {
    method: "GET",
    path: "/me",
    summary: "The caller's account and settings",
    access: "signed-in",
    responses: [{ status: 200, schema: meSchema }],
  },
  changeSettings: {
    method: "PATCH",
    path: "/me",
    summary: "Change the caller's settings",
    access: "signed-in",
    body: { schema: settingsSchema },
    responses: [{ status: 200, schema: meSchema }],
  },
  readOwnProfile: {
    method: "GET",
    path: "/me/profile",
    summary: "The caller's own profile",
    access: "signed-in",
    responses: [{ status: 200, schema: ownProfileSchema }],
  },
  saveProfile: {
    method: "PUT",
    path: "/me/profile",
    summary: "Save the caller's profile",
    description: "All of it is public. Name and photo come from the token.",
    access: "signed-in",
    body: { schema: profileDraftSchema },
    accepts: ["If-Match"],
    responses: [{ status: 200, schema: ownProfileSchema }],
  },
  deleteAccount: {
    method: "DELETE",
    path: "/me",
    summary: "Delete what the product holds about the caller",
    description:
      "The login must be at most five minutes old. All sessions of the account end. Tasks that nobody was ever hired " +
      "for are deleted, or stay without the caller's name.",
    access: "signed-in",
    query: deletionQuerySchema,
    responses: [DELETED],
    errors: ["log-in-again"],
  },
  listNotifications: {
    method: "GET",
    path: "/me/notifications",
    summary: "Notifications, newest first",
    access: "signed-in",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: notificationListSchema, headers: ["Link", "X-Unread-Count"] }],
    errors: ["invalid-cursor"],
  },
  readNotifications: {
    method: "POST",
    path: "/me/notifications/read",
    summary: "Mark notifications as read",
    access: "signed-in",
    body: { schema: readNotificationsSchema, optional: true },
    responses: [UPDATED],
  },
  followEvents: {
    method: "GET",
    path: "/me/events",
    summary: "Live updates for the caller",
    description:
      "Server-sent events `notification`, `conversation`, `unread` and, for the task named by `task`, `task`. " +
      "`Last-Event-ID` resumes a stream. It ends with the session. More than six streams per person or sixty per IP " +
      "address are refused with 429.",
    access: "signed-in",
    query: eventsQuerySchema,
    accepts: ["Last-Event-ID"],
    streamed: true,
    responses: [{ status: 200, type: "text/event-stream" }],
  },
  readOverview: {
    method: "GET",
    path: "/me/overview",
    summary: "Statistics for the dashboard",
    access: "signed-in",
    responses: [{ status: 200, schema: overviewSchema }],
  },
  recommendTasks: {
    method: "GET",
    path: "/me/recommendations",
    summary: "Up to five open tasks that fit the caller",
    description:
      "Among the newest two hundred, those of others that name one of the caller's skills or are in a category of their earlier bids, the best first.",
    access: "signed-in",
    responses: [{ status: 200, schema: recommendationListSchema }],
  },
  exportData: {
    method: "GET",
    path: "/me/export",
    summary: "Everything the product holds about the caller",
    access: "signed-in",
    streamed: true,
    responses: [{ status: 200, schema: exportSchema, headers: ["Content-Disposition"] }],
  },
  tasksAsCsv: {
    method: "GET",
    path: "/me/tasks.csv",
    summary: "The caller's tasks as CSV",
    access: "signed-in",
    streamed: true,
    responses: [{ status: 200, type: "text/csv", headers: ["Content-Disposition"] }],
  },
  bidsAsCsv: {
    method: "GET",
    path: "/me/bids.csv",
    summary: "The caller's bids as CSV",
    access: "signed-in",
    streamed: true,
    responses: [{ status: 200, type: "text/csv", headers: ["Content-Disposition"] }],
  },
  showUnsubscribe: {
    method: "GET",
    path: "/me/unsubscribe",
    summary: "The unsubscribe page",
    description: "Opening it changes nothing; its button unsubscribes.",
    access: "anyone",
    responses: [{ status: 200, type: "text/html" }],
  },
  unsubscribe: {
    method: "POST",
    path: "/me/unsubscribe",
    summary: "Unsubscribe from emails",
    description: "The link's secret key replaces a login (RFC 8058).",
    access: "anyone",
    query: unsubscribeQuerySchema,
    responses: [
      { status: 200, type: "text/html" },
      { status: 404, type: "text/html", when: "The link is no longer valid" },
    ],
  },
});
