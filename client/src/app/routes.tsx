import { type RouteObject, redirect } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { Spinner } from "../ui/spinner.tsx";
import { BrowseSkeleton } from "./browse-skeleton.tsx";
import { guardLoader, requireSignIn } from "./require-sign-in.ts";
import { Root } from "./root.tsx";
import { RouteError } from "./route-error.tsx";
import { SiteLayout } from "./site-layout.tsx";

// What a page may show instead of itself stands once for each layout, so that the layout stays visible around it.
const around = { HydrateFallback: Spinner, ErrorBoundary: RouteError };

/** An address that only leads to another one. */
const leadTo = (path: string) => ({ loader: () => redirect(path), Component: Spinner });

const browseLoader = async () => (await import("../features/tasks/browse/data.ts")).loader;
const taskLoader = async () => (await import("../features/tasks/detail/data.ts")).loader;
const bidAction = async () => (await import("../features/bids/data.ts")).action;

/**
 * Every route of SPEC section 2. Each page's code and data load side by side, when it is visited.
 * A new tree for each router: React Router empties the `lazy` objects of the one it is given.
 */
export const createRoutes = (): RouteObject[] => [
  {
    Component: Root,
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
                  loader: async () => (await import("../features/tasks/featured/data.ts")).loader,
                  Component: async () => (await import("./pages/home.tsx")).Component,
                },
              },
              {
                path: "browsetask",
                HydrateFallback: BrowseSkeleton,
                lazy: {
                  loader: browseLoader,
                  Component: async () => (await import("../features/tasks/browse/page.tsx")).Component,
                },
              },
              {
                path: "contact",
                lazy: { Component: async () => (await import("../features/pages/contact.tsx")).Component },
              },
              {
                path: "about",
                lazy: { Component: async () => (await import("../features/pages/about.tsx")).Component },
              },
              {
                path: "terms",
                lazy: { Component: async () => (await import("../features/pages/terms.tsx")).Component },
              },
              {
                path: "privacy",
                lazy: { Component: async () => (await import("../features/pages/privacy.tsx")).Component },
              },
              {
                path: "auth/login",
                lazy: {
                  Component: async () => (await import("../features/account/login/page.tsx")).Component,
                },
              },
              {
                path: "auth/register",
                lazy: {
                  Component: async () => (await import("../features/account/register/page.tsx")).Component,
                },
              },
              {
                path: "auth/forgot-password",
                lazy: {
                  Component: async () =>
                    (await import("../features/account/forgot-password/page.tsx")).Component,
                },
              },
              {
                middleware: [requireSignIn],
                loader: guardLoader,
                children: [
                  {
                    path: "taskdetails/:id",
                    lazy: {
                      loader: taskLoader,
                      action: bidAction,
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
                lazy: { Component: async () => (await import("../features/pages/not-found.tsx")).Component },
              },
            ],
          },
        ],
      },
      {
        path: "dash",
        middleware: [requireSignIn],
        loader: guardLoader,
        ...around,
        lazy: { Component: async () => (await import("./dash-layout.tsx")).DashLayout },
        children: [
          {
            ...around,
            children: [
              { index: true, ...leadTo(paths.dashboard) },
              {
                path: "dashboard",
                lazy: {
                  loader: async () => (await import("../features/tasks/overview/data.ts")).loader,
                  Component: async () => (await import("../features/tasks/overview/page.tsx")).Component,
                },
              },
              {
                path: "dashBrowseTask",
                lazy: {
                  loader: browseLoader,
                  Component: async () => (await import("../features/tasks/dash-browse/page.tsx")).Component,
                },
              },
              {
                path: "addtask",
                lazy: {
                  action: async () => (await import("../features/tasks/post/data.ts")).action,
                  Component: async () => (await import("../features/tasks/post/page.tsx")).Component,
                },
              },
              {
                path: "myposttask",
                lazy: {
                  loader: async () => (await import("../features/tasks/mine/data.ts")).loader,
                  action: async () => (await import("../features/tasks/mine/data.ts")).action,
                  Component: async () => (await import("../features/tasks/mine/page.tsx")).Component,
                },
              },
              {
                path: "updatetask/:id",
                // A refused save must not cost the form, even if its task is gone by now.
                shouldRevalidate: ({ actionResult, defaultShouldRevalidate }) =>
                  actionResult?.ok === false ? false : defaultShouldRevalidate,
                lazy: {
                  loader: taskLoader,
                  action: async () => (await import("../features/tasks/update/data.ts")).action,
                  Component: async () => (await import("../features/tasks/update/page.tsx")).Component,
                },
              },
              {
                path: "taskdetails/:id",
                lazy: {
                  loader: taskLoader,
                  action: bidAction,
                  Component: async () => (await import("./pages/task-details.tsx")).Component,
                },
              },
            ],
          },
        ],
      },
    ],
  },
];
