import { createBrowserRouter, RouterContextProvider } from "react-router-dom";
import { type Session, sessionContext } from "../auth/session.ts";
import type { Api } from "../lib/api.ts";
import { apiContext } from "../lib/api-context.ts";
import { createRoutes } from "./routes.tsx";

export type Services = { api: Api; session: Session };

/** The context that loaders, actions and the guard read their services from. */
export function servicesContext({ api, session }: Services): () => RouterContextProvider {
  return () => {
    const context = new RouterContextProvider();
    context.set(apiContext, api);
    context.set(sessionContext, session);
    return context;
  };
}

/** The app's router in a browser. */
export function createRouter(services: Services) {
  nameFirstEntry();
  return createBrowserRouter(createRoutes(), { getContext: servicesContext(services) });
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
