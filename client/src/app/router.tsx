import { createBrowserRouter, RouterContextProvider } from "react-router-dom";
import { type Session, sessionContext } from "../auth/session.ts";
import type { Api } from "../lib/api.ts";
import { type ApiServices, apiContext } from "../lib/api-context.tsx";
import { createQueryClient, withMutations } from "../lib/query-client.ts";
import { routes } from "./routes.tsx";

export type Services = ApiServices & { session: Session };

/** What the app stands on: the API, the cache of what was read from it, and the session. */
export function createServices(
  { api, session }: { api: Api; session: Session },
  queryClient = createQueryClient(),
): Services {
  // What one person has read is not for the next.
  const personOf = ({ user, loading } = session.getState()) => (loading ? undefined : (user?.uid ?? null));
  let known = personOf();
  session.subscribe(() => {
    const now = personOf();
    if (now === undefined || now === known) return;
    if (known !== undefined) queryClient.clear();
    known = now;
  });
  return { api: withMutations(api, queryClient), queryClient, session };
}

/** The context that loaders, actions and the guard read their services from. */
export function routerContext({ api, queryClient, session }: Services): () => RouterContextProvider {
  return () => {
    const context = new RouterContextProvider();
    context.set(apiContext, { api, queryClient });
    context.set(sessionContext, session);
    return context;
  };
}

/** The app's router in a browser. */
export function createRouter(services: Services) {
  nameFirstEntry();
  return createBrowserRouter(routes, { getContext: routerContext(services) });
}

/**
 * The router calls every page that a tab was opened at, or that was typed into its address bar, `default`: each would
 * open at the scroll position of the one before. A key of its own stays with the entry, also over a reload.
 */
function nameFirstEntry(): void {
  const { history } = window;
  if (!history.state?.key)
    history.replaceState({ ...history.state, key: Math.random().toString(36).slice(2) }, "");
}
