import { render, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter } from "react-router-dom";
import { expect } from "vitest";
import { App } from "../app/app.tsx";
import { createServices, routerContext } from "../app/router.tsx";
import { routes } from "../app/routes.tsx";
import type { Firebase } from "../auth/session.tsx";
import { createSession } from "../auth/session.tsx";
import type { Api } from "../lib/api.ts";
import { createQueryClient } from "../lib/query-client.ts";

type Ports = {
  api: Api;
  firebase: Firebase;
  /** Waits before retries, in ms. By default nothing is retried. */
  retryWaits?: number[];
};

/** Renders the whole app at a URL, with the given ports. */
export function renderApp(url: string, ports: Ports) {
  const app = createApp(url, ports);
  app.mount();
  return app;
}

/** Renders the app once its first page is loaded, as main.tsx does; `meanwhile` runs between the two. */
export async function renderLoadedApp(url: string, ports: Ports, meanwhile: () => Promise<unknown>) {
  const app = createApp(url, ports);
  await waitFor(() => expect(app.router.state.initialized).toBe(true));
  await meanwhile();
  app.mount();
  return app;
}

function createApp(url: string, { api, firebase, retryWaits = [] }: Ports) {
  const session = createSession(async () => firebase);
  const services = createServices({ api, session }, createQueryClient({ retryWaits }));
  const router = createMemoryRouter(routes, {
    initialEntries: [url],
    getContext: routerContext(services),
  });
  const mount = () => void render(<App services={services} router={router} />);
  return { session, queryClient: services.queryClient, router, user: userEvent.setup(), mount };
}
