import type { ComponentType } from "react";
import {
  type ActionFunction,
  type LoaderFunction,
  type LoaderFunctionArgs,
  type RouteObject,
  redirect,
  type ShouldRevalidateFunction,
} from "react-router-dom";
import { toFormError } from "../lib/forms.ts";
import { paths } from "../lib/paths.ts";
import { notLoadedProblem } from "../lib/problem.ts";
import { Spinner } from "../ui/state-panel.tsx";
import { BrowseSkeleton } from "./browse-skeleton.tsx";
import type { dashPages as Pages } from "./dash-pages.ts";
import { guardLoader, requireSignIn } from "./require-sign-in.ts";
import { Root } from "./root.tsx";
import { RouteError } from "./route-error.tsx";
import { SignedInArea } from "./signed-in-area.tsx";
import { SiteLayout } from "./site-layout.tsx";

// What a page may show instead of itself stands once for each layout, so that the layout stays visible around it.
const around = { HydrateFallback: Spinner, ErrorBoundary: RouteError };

/** An address that only leads to another one. */
const leadTo = (path: string) => ({ loader: () => redirect(path), Component: Spinner });

/** An address that only takes forms: whoever opens it is led to the task. */
const toTask = ({ params }: LoaderFunctionArgs) => redirect(paths.task(params["id"] ?? ""));

const browseLoader = async () => (await import("../features/tasks/browse/browse-data.ts")).loader;
const taskLoader = async () => (await import("../features/tasks/detail/task-detail-data.ts")).loader;

/**
 * A page or layout without data. Its loader does nothing, but must be there: without one the router shows an empty page
 * when the code does not arrive.
 */
const page = (load: () => Promise<ComponentType>) => ({ loader: () => null, lazy: { Component: load } });

/** A page without data whose form has its action beside it. */
const formPage = (load: () => Promise<{ Component: ComponentType; action: ActionFunction }>) => ({
  loader: () => null,
  lazy: { Component: async () => (await load()).Component, action: async () => (await load()).action },
});

/** What stands around pages for signed-in people. */
const guarded = { middleware: [requireSignIn], loader: guardLoader, Component: SignedInArea };

/**
 * After a refused action the page stays as it is, with what was typed in it: reading again would most likely fail the
 * same way. Unless the server says that things stand differently than the page shows.
 */
const unlessRefused: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  actionResult?.ok === false && !actionResult.stale ? false : defaultShouldRevalidate;

/**
 * An action whose code is loaded when something is sent. If that does not arrive it is a refusal like any other, and the
 * form keeps what was typed: as part of `lazy` it would put an error in the page's place.
 */
const lateAction =
  (load: () => Promise<ActionFunction>): ActionFunction =>
  async (args) => {
    const action = await load().catch(() => null);
    return action ? action(args) : toFormError(notLoadedProblem());
  };

type DashPages = typeof Pages;

/**
 * A page of the dashboard. Where its parts lie is known to a module of its own, which visitors do not load; for the
 * others it is there before it is asked for (see build/early-chunks.ts and after-first-page.ts).
 */
function dashPage(name: keyof DashPages, ...parts: ("loader" | "action")[]): RouteObject {
  const load = async <T,>(part: string): Promise<T> => {
    const { dashPages } = await import("./dash-pages.ts");
    const found = (dashPages[name] as Record<string, (() => Promise<unknown>) | undefined>)[part];
    return (await found?.()) as T;
  };
  const Component = () => load<ComponentType>("Component");
  return {
    ...(parts.includes("action") && { action: lateAction(() => load<ActionFunction>("action")) }),
    ...(parts.includes("loader")
      ? { lazy: { loader: () => load<LoaderFunction>("loader"), Component } }
      : page(Component)),
  };
}

/**
 * Every route of SPEC section 2. Each page's code and data load side by side, when it is visited.
 * A new tree for each router: React Router empties the `lazy` objects of the one it is given.
 */
export const createRoutes = (): RouteObject[] => [
  {
    Component: Root,
    // Also for what goes wrong in the layouts themselves.
    ErrorBoundary: RouteError,
    children: [
      {
        Component: SiteLayout,
        children: [
          {
            ...around,
            children: [
              {
                index: true,
                lazy: {
                  loader: async () => (await import("../features/tasks/featured/featured-data.ts")).loader,
                  Component: async () => (await import("./pages/home.tsx")).Component,
                },
              },
              {
                path: "browsetask",
                HydrateFallback: BrowseSkeleton,
                lazy: {
                  loader: browseLoader,
                  Component: async () => (await import("../features/tasks/browse/browse-page.tsx")).Component,
                },
              },
              {
                path: "contact",
                ...formPage(() => import("../features/pages/contact.tsx")),
              },
              {
                path: "about",
                ...page(async () => (await import("../features/pages/about.tsx")).Component),
              },
              {
                path: "terms",
                ...page(async () => (await import("../features/pages/terms.tsx")).Component),
              },
              {
                path: "privacy",
                ...page(async () => (await import("../features/pages/privacy.tsx")).Component),
              },
              {
                path: "auth/login",
                ...formPage(() => import("../features/account/login-page.tsx")),
              },
              {
                path: "auth/register",
                ...formPage(() => import("../features/account/register-page.tsx")),
              },
              {
                path: "auth/forgot-password",
                ...formPage(() => import("../features/account/forgot-password-page.tsx")),
              },
              {
                path: "people/:id",
                lazy: {
                  loader: async () => (await import("../features/people/profile/profile-data.ts")).loader,
                  Component: async () =>
                    (await import("../features/people/profile/profile-page.tsx")).Component,
                },
              },
              {
                ...guarded,
                children: [
                  {
                    path: "taskdetails/:id/review",
                    loader: toTask,
                    action: lateAction(
                      async () => (await import("../features/people/review/review-action.ts")).action,
                    ),
                  },
                  {
                    path: "taskdetails/:id/report",
                    loader: toTask,
                    action: lateAction(
                      async () => (await import("../features/reports/report-action.ts")).action,
                    ),
                  },
                  {
                    path: "taskdetails/:id",
                    shouldRevalidate: unlessRefused,
                    action: lateAction(async () => (await import("../features/bids/bid-action.ts")).action),
                    lazy: {
                      loader: taskLoader,
                      Component: async () => (await import("./pages/task-details.tsx")).Component,
                    },
                  },
                ],
              },
              // Where the home slider and the empty state link to; the pages themselves are the dashboard's.
              { path: "addtask", ...leadTo(paths.addTask) },
              { path: "myposttask", ...leadTo(paths.myTasks) },
              {
                path: "*",
                ...page(async () => (await import("../features/pages/not-found.tsx")).Component),
              },
            ],
          },
        ],
      },
      {
        path: "dash",
        ...guarded,
        ...around,
        children: [
          {
            ...page(async () => (await import("./dash-layout.tsx")).DashLayout),
            children: [
              {
                ...around,
                children: [
                  { index: true, ...leadTo(paths.dashboard) },
                  {
                    path: "dashboard",
                    ...dashPage("dashboard", "loader"),
                  },
                  {
                    path: "dashBrowseTask",
                    ...dashPage("browse", "loader"),
                  },
                  {
                    path: "addtask",
                    ...dashPage("post", "action"),
                  },
                  {
                    path: "myposttask",
                    // Opening the bids of a task changes the address, not the tasks.
                    shouldRevalidate: (args) =>
                      args.formMethod === undefined && args.currentUrl.search !== args.nextUrl.search
                        ? false
                        : unlessRefused(args),
                    ...dashPage("mine", "loader", "action"),
                  },
                  {
                    path: "bids/:id",
                    shouldRevalidate: unlessRefused,
                    ...dashPage("inbox", "loader", "action"),
                  },
                  {
                    path: "mybids",
                    shouldRevalidate: unlessRefused,
                    ...dashPage("myBids", "loader"),
                  },
                  {
                    path: "notifications",
                    ...dashPage("notifications"),
                  },
                  {
                    path: "settings",
                    ...dashPage("settings", "loader", "action"),
                  },
                  {
                    path: "reports",
                    ...dashPage("reports", "loader", "action"),
                  },
                  {
                    path: "updatetask/:id",
                    // A refused save must not cost the form, even if its task is gone by now.
                    shouldRevalidate: ({ actionResult, defaultShouldRevalidate }) =>
                      actionResult?.ok === false ? false : defaultShouldRevalidate,
                    ...dashPage("update", "loader", "action"),
                  },
                  {
                    path: "taskdetails/:id",
                    shouldRevalidate: unlessRefused,
                    ...dashPage("details", "loader", "action"),
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];
