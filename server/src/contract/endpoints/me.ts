import * as z from "zod/mini";
import { endpoints } from "../endpoint.ts";
import {
  deleteResponseSchema,
  eventsQuerySchema,
  exportSchema,
  meSchema,
  notificationListSchema,
  overviewSchema,
  ownProfileSchema,
  pageQuerySchema,
  profileDraftSchema,
  readNotificationsSchema,
  settingsSchema,
  updateResponseSchema,
} from "../index.ts";

/** What names the person in the link that ends emails. Whatever is not one plain text is nobody's key. */
export const unsubscribeQuerySchema = z.object({
  person: z.catch(z.string(), ""),
  key: z.catch(z.string(), ""),
});

const updated = [{ status: 200, schema: updateResponseSchema }] as const;
const deleted = [{ status: 200, schema: deleteResponseSchema }] as const;

export const myEndpoints = endpoints("Me", {
  readMe: {
    method: "GET",
    path: "/me",
    summary: "Who the caller is, and what they chose",
    access: "signed-in",
    responses: [{ status: 200, schema: meSchema }],
  },
  changeSettings: {
    method: "PATCH",
    path: "/me",
    summary: "Change the settings",
    access: "signed-in",
    body: { schema: settingsSchema },
    responses: [{ status: 200, schema: meSchema }],
  },
  readOwnProfile: {
    method: "GET",
    path: "/me/profile",
    summary: "What the caller wrote about themselves",
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
    description: "The login must not be older than five minutes. It ends the account's sessions everywhere.",
    access: "signed-in",
    responses: deleted,
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
    responses: updated,
  },
  followEvents: {
    method: "GET",
    path: "/me/events",
    summary: "What concerns the caller, as it happens",
    description:
      "Server-sent events `notification`, `conversation`, `unread` and, for the task named by `task`, `task`; `Last-Event-ID` resumes. " +
      "It ends with the session. Six at a time for each person, sixty for each address: more are refused with 429.",
    access: "signed-in",
    query: eventsQuerySchema,
    accepts: ["Last-Event-ID"],
    streamed: true,
    responses: [{ status: 200, type: "text/event-stream" }],
  },
  readOverview: {
    method: "GET",
    path: "/me/overview",
    summary: "Figures for the dashboard",
    access: "signed-in",
    responses: [{ status: 200, schema: overviewSchema }],
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
    summary: "The page that ends emails",
    description: "Changes nothing: its button does.",
    access: "anyone",
    responses: [{ status: 200, type: "text/html" }],
  },
  unsubscribe: {
    method: "POST",
    path: "/me/unsubscribe",
    summary: "End emails",
    description: "The secret key of the link stands in for a login (RFC 8058).",
    access: "anyone",
    query: unsubscribeQuerySchema,
    responses: [
      { status: 200, type: "text/html" },
      { status: 404, type: "text/html", when: "The link is not valid any more" },
    ],
  },
});
