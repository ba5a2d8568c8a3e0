import { QueryClient } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, type RouteObject } from "react-router-dom";
import { App, createServices, loadPage, routerContext } from "./app/app.tsx";
import { NOBODY_YET, routes } from "./app/routes.tsx";
import { createSession } from "./auth/session.tsx";
import { prefetchRequestedTask } from "./features/tasks/requested-task.tsx";
import { type Api, createApi } from "./lib/api.ts";
import type { PageData } from "./lib/page-data.ts";
import { fillPage } from "./prerender-html.ts";
import { renderAt } from "./ui/now.tsx";
import { type PageFacts, recordPageFacts } from "./ui/page-head.tsx";

export { renderedUrl } from "./rendered-url.ts";
/** For the build, which derives from them what each page loads (build/app-start.ts). */
export { routes };

export type RenderRequest = {
  /** The built page without content (app.html). */
  template: string;
  /** Public origin of the site. */
  origin: string;
  /** Path and query. */
  url: string;
  /** Calls the API as a visitor. Absent during the build, when pages are rendered in their loading state. */
  send?: typeof fetch;
};

export type RenderedPage = { status: 200 | 404; facts: PageFacts; html: string };

/**
 * Renders a page as a visitor first sees it, with the components and loaders that the browser would run.
 * @returns undefined if there is nothing to show without logging in.
 * @throws if the API does not respond, since one visitor's error page must not be served to others.
 */
export async function renderPage(request: RenderRequest): Promise<RenderedPage | undefined> {
  const { template, origin, url, send } = request;
  let stall = () => {};
  const stalled = new Promise<void>((resolve) => {
    // Wait one turn, so that a loader which does not await the request can still finish.
    stall = () => setTimeout(resolve, 0);
  });
  // The session never resolves here: a page that waits for it has nothing more to load.
  const session = createSession(() => {
    stall();
    return new Promise(() => undefined);
  });
  const api = send ? failureTrackingApi(send) : pendingApi(stall);
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always", staleTime: Number.POSITIVE_INFINITY } },
  });
  const services = createServices({ api, session }, queryClient);
  await loadPage(new URL(url, origin).pathname);
  const router = createMemoryRouter(routes, {
    initialEntries: [url],
    getContext: routerContext(services),
    hydrationData: { loaderData: NOBODY_YET },
  });
  try {
    if (send) prefetchRequestedTask(queryClient, router.state.location);
    await Promise.race([initialized(router), stalled]);
    if (send) await Promise.all(pendingQueries(queryClient));
    const error = api.failure ?? Object.values(router.state.errors ?? {})[0];
    if (error) throw new Error("The page cannot be rendered.", { cause: error });
    const now = Date.now();
    renderAt(now);
    const recordedFacts = recordPageFacts();
    const html = renderToString(<App services={services} router={router} />);
    const facts = recordedFacts();
    if (!facts) return undefined;
    const data: PageData = {
      now,
      loaderData: router.state.initialized ? router.state.loaderData : undefined,
      queries: queryClient
        .getQueryCache()
        .findAll({ predicate: ({ state }) => state.status === "success" })
        .map(({ queryKey, state }) => [queryKey, state.data]),
    };
    const page = fillPage(template, { origin, html, facts, data });
    return { status: facts.missing ? 404 : 200, facts, html: page };
  } finally {
    router.dispose();
  }
}

type FailingApi = Api & { failure?: Error };

/** An API whose calls never settle. */
function pendingApi(onCall: () => void): FailingApi {
  return {
    call: () => {
      onCall();
      return new Promise<never>(() => undefined);
    },
  };
}

/** Records a failure (429 or 5xx) that another visitor might not get. */
function failureTrackingApi(send: typeof fetch): FailingApi {
  const api: FailingApi = createApi({
    origin: "",
    getToken: async () => null,
    fetch: async (...args) => {
      const response = await send(...args);
      if (response.status >= 500 || response.status === 429)
        api.failure = new Error(`The API responded ${response.status}.`);
      return response;
    },
  });
  return api;
}

function pendingQueries(queryClient: QueryClient): Promise<unknown>[] {
  return queryClient
    .getQueryCache()
    .findAll({ fetchStatus: "fetching" })
    .map(({ promise }) => promise?.catch(() => undefined) ?? Promise.resolve());
}

/** The path patterns that have a page (`/people/:id`), so that a server can recognize unknown URLs. */
export function routePatterns(tree: RouteObject[] = routes, parent = ""): string[] {
  return tree.flatMap(({ path = "", index, children }) => {
    if (path === "*") return [];
    const pattern = [parent, path].filter(Boolean).join("/");
    // As in React Router, a path matches even if its route has children but no index route.
    const ownPattern = path || (index && !parent) ? [`/${pattern}`] : [];
    return [...ownPattern, ...routePatterns(children ?? [], pattern)];
  });
}

/** Resolves once the router has loaded its first page, or knows that it cannot. */
function initialized(router: ReturnType<typeof createMemoryRouter>): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = router.subscribe((state) => {
      if (!state.initialized) return;
      unsubscribe();
      resolve();
    });
  });
}
