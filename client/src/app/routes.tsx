import { type RouteObject, redirect, type ShouldRevalidateFunction } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { Spinner } from "../ui/spinner.tsx";
import { BrowseSkeleton } from "./browse-skeleton.tsx";
import type { dashPages as DashPages } from "./dash-pages.ts";
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
 * After a refused action the page stays as it is, with what was typed in it: reading again would most likely fail the
 * same way. Unless the server says that things stand differently than the page shows.
 */
const unlessRefused: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  actionResult?.ok === false && !actionResult.stale ? false : defaultShouldRevalidate;

type Part = "loader" | "action" | "Component";

/**
 * A page of the dashboard. Where its parts lie is known to a module of its own, which visitors do not load; for the
 * others it is there before it is asked for (see build/early-chunks.ts and after-first-page.ts).
 */
const dashPage = (name: keyof typeof DashPages, ...parts: Part[]): NonNullable<RouteObject["lazy"]> =>
  Object.fromEntries(
    parts.map((part) => [
      part,
      async () => {
        const page: Partial<Record<Part, () => Promise<unknown>>> = (await import("./dash-pages.ts"))
          .dashPages[name];
        return page[part]?.();
      },
    ]),
  );

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
                path: "people/:id",
                lazy: {
                  loader: async () => (await import("../features/people/profile/data.ts")).loader,
                  Component: async () => (await import("../features/people/profile/page.tsx")).Component,
                },
              },
              {
                middleware: [requireSignIn],
                loader: guardLoader,
                children: [
                  {
                    path: "taskdetails/:id/review",
                    lazy: {
                      loader: async () => (await import("../features/people/review/data.ts")).loader,
                      action: async () => (await import("../features/people/review/data.ts")).action,
                    },
                  },
                  {
                    path: "taskdetails/:id",
                    shouldRevalidate: unlessRefused,
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
                lazy: dashPage("dashboard", "loader", "Component"),
              },
              {
                path: "dashBrowseTask",
                lazy: dashPage("browse", "loader", "Component"),
              },
              {
                path: "addtask",
                lazy: dashPage("post", "loader", "action", "Component"),
              },
              {
                path: "myposttask",
                // Opening the bids of a task changes the address, not the tasks.
                shouldRevalidate: (args) =>
                  args.formMethod === undefined && args.currentUrl.search !== args.nextUrl.search
                    ? false
                    : unlessRefused(args),
                lazy: dashPage("mine", "loader", "action", "Component"),
              },
              {
                path: "bids/:id",
                shouldRevalidate: unlessRefused,
                lazy: dashPage("inbox", "loader", "action", "Component"),
              },
              {
                path: "mybids",
                shouldRevalidate: unlessRefused,
                lazy: dashPage("myBids", "loader", "Component"),
              },
              {
                path: "notifications",
                lazy: dashPage("notifications", "Component"),
              },
              {
                path: "settings",
                lazy: dashPage("settings", "loader", "action", "Component"),
              },
              {
                path: "reports",
                lazy: dashPage("reports", "loader", "action", "Component"),
              },
              {
                path: "updatetask/:id",
                // A refused save must not cost the form, even if its task is gone by now.
                shouldRevalidate: ({ actionResult, defaultShouldRevalidate }) =>
                  actionResult?.ok === false ? false : defaultShouldRevalidate,
                lazy: dashPage("update", "loader", "action", "Component"),
              },
              {
                path: "taskdetails/:id",
                shouldRevalidate: unlessRefused,
                lazy: dashPage("details", "loader", "action", "Component"),
              },
            ],
          },
        ],
      },
    ],
  },
];
