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
  return createBrowserRouter(createRoutes(), { getContext: servicesContext(services) });
}
