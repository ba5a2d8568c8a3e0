import { type RouteObject, redirect } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { Spinner } from "../ui/state-panel.tsx";
import { BrowseSkeleton } from "./browse-skeleton.tsx";
import { DashLoading } from "./dash-frame.tsx";
import { Root } from "./root.tsx";
import { BareRouteError, RouteError } from "./route-error.tsx";
import { guardLoader, requireSignIn, SignedInArea } from "./sign-in-guard.tsx";
import { SiteLayout } from "./site-layout.tsx";

// Spinner and error page are set per layout, so that the layout stays visible around them.
const fallbacks = { HydrateFallback: Spinner, ErrorBoundary: RouteError };

const redirectTo = (path: string) => ({ loader: () => redirect(path), Component: Spinner });

/** Wraps pages that require signing in. */
const guarded = { middleware: [requireSignIn], loader: guardLoader, Component: SignedInArea };

/** The task page, in both layouts. */
const taskDetails: RouteObject = {
  path: "taskdetails/:id",
  lazy: () => import("../features/tasks/detail/task-page.tsx"),
};

/** Loader data of pages behind login that the server renders before it is known who is signed in. */
export const NOBODY_YET = { reader: null, task: null };

const publicPages: RouteObject[] = [
  { index: true, lazy: () => import("../features/home/home-page.tsx") },
  {
    path: "browsetask",
    HydrateFallback: BrowseSkeleton,
    lazy: () => import("../features/tasks/browse/browse-page.tsx"),
  },
  { path: "contact", lazy: () => import("../features/pages/contact.tsx") },
  { path: "about", lazy: () => import("../features/pages/about.ts") },
  { path: "terms", lazy: () => import("../features/pages/terms.ts") },
  { path: "privacy", lazy: () => import("../features/pages/privacy.ts") },
  { path: "auth/login", lazy: () => import("../features/account/login-page.tsx") },
  { path: "auth/register", lazy: () => import("../features/account/register-page.tsx") },
  { path: "auth/forgot-password", lazy: () => import("../features/account/forgot-password-page.tsx") },
  { path: "people", lazy: () => import("../features/people/directory/directory-page.tsx") },
  { path: "people/:id", lazy: () => import("../features/people/profile/profile-page.tsx") },
  {
    id: "reader",
    middleware: guarded.middleware,
    loader: guarded.loader,
    lazy: () => import("./task-area.tsx"),
    children: [{ id: "task", ...taskDetails }],
  },
  // Linked from the home slider and the empty state; the pages themselves are in the dashboard.
  { path: "addtask", ...redirectTo(paths.addTask) },
  { path: "myposttask", ...redirectTo(paths.myTasks) },
  { path: "*", lazy: () => import("../features/pages/not-found.tsx") },
];

const dashboardPages: RouteObject[] = [
  { index: true, ...redirectTo(paths.dashboard) },
  { path: "dashboard", lazy: () => import("../features/tasks/overview/overview-page.tsx") },
  { path: "dashBrowseTask", lazy: () => import("../features/tasks/browse/dash-browse-page.tsx") },
  { path: "addtask", lazy: () => import("../features/tasks/form/post-task-page.tsx") },
  { path: "myposttask", lazy: () => import("../features/tasks/mine/my-tasks-page.tsx") },
  { path: "bids/:id", lazy: () => import("../features/bids/received/bids-page.tsx") },
  { path: "mybids", lazy: () => import("../features/bids/mine/my-bids-page.tsx") },
  { path: "saved", lazy: () => import("../features/saved-tasks/saved-tasks-page.tsx") },
  {
    path: "messages",
    lazy: () => import("../features/conversations/messages-page.tsx"),
    children: [{ path: ":id", lazy: () => import("../features/conversations/conversation-page.tsx") }],
  },
  { path: "notifications", lazy: () => import("../features/notifications/notifications-page.tsx") },
  { path: "searches", lazy: () => import("../features/saved-searches/searches-page.tsx") },
  { path: "settings", lazy: () => import("../features/settings/settings-page.tsx") },
  {
    path: "reports",
    lazy: () => import("../features/reports/operators/operators-layout.tsx"),
    children: [
      { index: true, lazy: () => import("../features/reports/operators/reports-page.tsx") },
      { path: "queue", lazy: () => import("../features/reports/operators/queue-page.tsx") },
      { path: "log", lazy: () => import("../features/reports/operators/log-page.tsx") },
      { path: "jobs", lazy: () => import("../features/reports/operators/jobs-page.tsx") },
    ],
  },
  { path: "updatetask/:id", lazy: () => import("../features/tasks/form/update-task-page.tsx") },
  taskDetails,
];

/** All routes of the app. Each page is a module with its loader, loaded on the first visit. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    // For errors in the layouts themselves.
    ErrorBoundary: BareRouteError,
    children: [
      { Component: SiteLayout, children: [{ ...fallbacks, children: publicPages }] },
      {
        path: "dash",
        ...guarded,
        // The layout itself has yet to load, or may have failed to.
        HydrateFallback: DashLoading,
        ErrorBoundary: BareRouteError,
        children: [
          { lazy: () => import("./dash-layout.tsx"), children: [{ ...fallbacks, children: dashboardPages }] },
        ],
      },
    ],
  },
];
