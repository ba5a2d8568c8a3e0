import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createBrowserRouter,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  RouterProvider,
  type RouterProviderProps,
} from "react-router-dom";
import { type Session, SessionContext, sessionContext } from "../auth/session.tsx";
import type { Api } from "../lib/api.ts";
import type { PageData } from "../lib/page-data.ts";
import { provideApi, queryContext } from "../lib/queries.tsx";
import { createQueryClient, withMutations } from "../lib/query-client.ts";
import { AboveDialogs } from "../ui/above-dialogs.tsx";
import { ReconnectBanner } from "./reconnect-banner.tsx";
import { routes } from "./routes.tsx";

type Props = { services: Services; router: RouterProviderProps["router"] };

/** The whole app with its services. */
export function App({ services: { queryClient, session }, router }: Props) {
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        {/* Outside the router, so that it stays even if a page fails. */}
        <AboveDialogs>
          <ReconnectBanner />
        </AboveDialogs>
      </QueryClientProvider>
    </SessionContext>
  );
}

type Services = { queryClient: QueryClient; session: Session };

/** The app's services: the query cache, which knows the API, and the session. */
export function createServices(
  { api, session }: { api: Api; session: Session },
  queryClient = createQueryClient(),
): Services {
  // Clears the cache when another person signs in, or nobody is signed in anymore.
  const currentUid = ({ user, loading } = session.getState()) => (loading ? undefined : (user?.uid ?? null));
  let previous = currentUid();
  session.subscribe(() => {
    const uid = currentUid();
    if (uid === undefined || uid === previous) return;
    // Not the mutations, one of which may be this login.
    if (previous !== undefined) queryClient.getQueryCache().clear();
    previous = uid;
  });
  const uidNow = () => session.getState().user?.uid;
  provideApi(queryClient, withMutations(api, queryClient, uidNow));
  return { queryClient, session };
}

/** The context that provides services to loaders and the guard. */
export function routerContext({ queryClient, session }: Services): () => RouterContextProvider {
  return () => {
    const context = new RouterContextProvider();
    context.set(queryContext, queryClient);
    context.set(sessionContext, session);
    return context;
  };
}

/** The app's router in a browser. */
export function createRouter(services: Services, loaderData: PageData["loaderData"] = {}) {
  setInitialKey();
  return createBrowserRouter(routes, { getContext: routerContext(services), hydrationData: { loaderData } });
}

/** Loads the code of a path's page, so that a router created afterwards can render it at once. */
export async function loadPage(path: string): Promise<void> {
  const load = async (route: RouteObject) => {
    if (typeof route.lazy !== "function") return;
    Object.assign(route, await route.lazy());
    delete route.lazy;
  };
  await Promise.all((matchRoutes(routes, path) ?? []).map(({ route }) => load(route)));
}

/**
 * The router gives every page that was opened by a full page load the key `default`, so each would open at the scroll
 * position of the previous one. A unique key is stored in the history entry and survives a reload.
 */
function setInitialKey(): void {
  const { history } = window;
  if (!history.state?.key)
    history.replaceState({ ...history.state, key: Math.random().toString(36).slice(2) }, "");
}
