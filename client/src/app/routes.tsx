import {
  type LoaderFunctionArgs,
  type RouteObject,
  redirect,
  type ShouldRevalidateFunction,
} from "react-router-dom";
import { AnsweredQuestions } from "../features/questions/answered-questions.tsx";
import { TaskPlaceholder } from "../features/tasks/task-placeholder.tsx";
import { paths } from "../lib/paths.ts";
import { Spinner } from "../ui/state-panel.tsx";
import { BrowseSkeleton } from "./browse-skeleton.tsx";
import { Root } from "./root.tsx";
import { BareRouteError, RouteError } from "./route-error.tsx";
import { guardLoader, requireSignIn, SignedInArea } from "./sign-in-guard.tsx";
import { SiteLayout } from "./site-layout.tsx";

// What a page may show instead of itself stands once for each layout, so that the layout stays visible around it.
const around = { HydrateFallback: Spinner, ErrorBoundary: RouteError };

const redirectTo = (path: string) => ({ loader: () => redirect(path), Component: Spinner });

/** An address that only takes forms: whoever opens it is led to the task. */
const toTask = ({ params }: LoaderFunctionArgs) => redirect(paths.task(params["id"] ?? ""));

/** The same for what a client does to received bids: to those bids. */
const toReceivedBids = ({ params }: LoaderFunctionArgs) => redirect(paths.receivedBids(params["id"] ?? ""));

/** What stands around pages for signed-in people. */
const guarded = { middleware: [requireSignIn], loader: guardLoader, Component: SignedInArea };

/**
 * After a refused action the page stays as it is, with what was typed in it: reading again would most likely fail the
 * same way. Unless the server says that things stand differently than the page shows.
 */
const unlessRefused: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  actionResult?.ok === false && !actionResult.stale ? false : defaultShouldRevalidate;

/** A refused save must not cost the form, even if what it is about is gone by now. */
const unlessNotSaved: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  actionResult?.ok === false ? false : defaultShouldRevalidate;

/** What the form began with is read once: nothing of it changes with a save, and what was posted must not go where that fails. */
const notAfterSaving: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  actionResult === undefined && defaultShouldRevalidate;

/** The page of a task as the server renders it for visitors, without anything to do. */
const TaskForVisitors = () => <TaskPlaceholder below={(id) => <AnsweredQuestions taskId={id} />} />;

/** The pages of both layouts that show a task. */
const taskDetails: RouteObject = {
  path: "taskdetails/:id",
  shouldRevalidate: unlessRefused,
  lazy: () => import("./pages/task-details.tsx"),
};

const publicPages: RouteObject[] = [
  { index: true, lazy: () => import("./pages/home.tsx") },
  {
    path: "browsetask",
    HydrateFallback: BrowseSkeleton,
    lazy: () => import("./pages/browse.tsx"),
  },
  { path: "contact", lazy: () => import("../features/pages/contact.tsx") },
  { path: "about", lazy: () => import("../features/pages/about.tsx") },
  { path: "terms", lazy: () => import("../features/pages/terms.tsx") },
  { path: "privacy", lazy: () => import("../features/pages/privacy.tsx") },
  { path: "auth/login", lazy: () => import("./pages/login.tsx") },
  { path: "auth/register", lazy: () => import("./pages/register.tsx") },
  { path: "auth/forgot-password", lazy: () => import("../features/account/forgot-password-page.tsx") },
  { path: "people/:id", lazy: () => import("../features/people/profile/profile-page.tsx") },
  {
    ...guarded,
    // A visitor whom a shared link led here sees what it is about until the guard knows them.
    // Only in the page that the server sends: main.tsx keeps that until the task is there.
    HydrateFallback: import.meta.env.SSR ? TaskForVisitors : Spinner,
    children: [
      taskDetails,
      {
        path: "taskdetails/:id/review",
        loader: toTask,
        lazy: () => import("../features/people/review/review-action.ts"),
      },
      {
        path: "taskdetails/:id/delivery",
        loader: toTask,
        lazy: () => import("../features/delivery/delivery-action.ts"),
      },
      {
        path: "taskdetails/:id/report",
        loader: toTask,
        lazy: () => import("../features/reports/report-action.ts"),
      },
      {
        path: "taskdetails/:id/questions",
        loader: toTask,
        lazy: () => import("../features/questions/questions-action.ts"),
      },
    ],
  },
  // Where the home slider and the empty state link to; the pages themselves are the dashboard's.
  { path: "addtask", ...redirectTo(paths.addTask) },
  { path: "myposttask", ...redirectTo(paths.myTasks) },
  { path: "*", lazy: () => import("../features/pages/not-found.tsx") },
];

const dashboardPages: RouteObject[] = [
  { index: true, ...redirectTo(paths.dashboard) },
  { path: "dashboard", lazy: () => import("../features/tasks/overview/overview-page.tsx") },
  { path: "dashBrowseTask", lazy: () => import("./pages/dash-browse.tsx") },
  {
    path: "addtask",
    shouldRevalidate: notAfterSaving,
    lazy: () => import("../features/tasks/form/post-task-page.tsx"),
  },
  { path: "myposttask", shouldRevalidate: unlessRefused, lazy: () => import("./pages/my-tasks.tsx") },
  {
    path: "bids/:id",
    loader: toReceivedBids,
    shouldRevalidate: unlessRefused,
    lazy: () => import("../features/bids/received/received-bids-data.ts"),
  },
  { path: "mybids", shouldRevalidate: unlessRefused, lazy: () => import("./pages/my-bids.tsx") },
  { path: "saved", lazy: () => import("./pages/saved-tasks.tsx") },
  {
    path: "messages",
    lazy: () => import("../features/conversations/messages-page.tsx"),
    children: [
      { path: ":id", shouldRevalidate: unlessRefused, lazy: () => import("./pages/conversation.tsx") },
    ],
  },
  { path: "notifications", lazy: () => import("../features/notifications/notifications-page.tsx") },
  {
    path: "searches",
    shouldRevalidate: unlessRefused,
    lazy: () => import("../features/saved-searches/searches-page.tsx"),
  },
  {
    path: "settings",
    shouldRevalidate: unlessNotSaved,
    lazy: () => import("../features/settings/settings-page.tsx"),
  },
  {
    path: "reports",
    lazy: () => import("../features/reports/operators/operators-layout.tsx"),
    children: [
      { index: true, lazy: () => import("../features/reports/operators/reports-page.tsx") },
      { path: "queue", lazy: () => import("../features/reports/operators/queue-page.tsx") },
      { path: "log", lazy: () => import("../features/reports/operators/log-page.tsx") },
    ],
  },
  {
    path: "updatetask/:id",
    shouldRevalidate: unlessNotSaved,
    lazy: () => import("../features/tasks/form/update-task-page.tsx"),
  },
  taskDetails,
];

/** Every address of the app. A page is one module with its loader and action, which is loaded when it is visited. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    // Also for what goes wrong in the layouts themselves.
    ErrorBoundary: BareRouteError,
    children: [
      { Component: SiteLayout, children: [{ ...around, children: publicPages }] },
      {
        path: "dash",
        ...guarded,
        ...around,
        // The layout itself may not have come.
        ErrorBoundary: BareRouteError,
        children: [
          { lazy: () => import("./dash-layout.tsx"), children: [{ ...around, children: dashboardPages }] },
        ],
      },
    ],
  },
];
