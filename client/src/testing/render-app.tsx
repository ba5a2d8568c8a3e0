import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { vi } from "vitest";
import { servicesContext } from "../app/router.tsx";
import { createRoutes } from "../app/routes.tsx";
import { AuthProvider } from "../auth/auth-context.tsx";
import type { AuthGateway } from "../auth/auth-gateway.ts";
import { createSession } from "../auth/session.ts";
import type { Api } from "../lib/api.ts";
import { ApiProvider } from "../lib/api-provider.tsx";

type Ports = { api: Api; gateway: AuthGateway };

/** Renders the whole app at an address, over the given ports. */
export function renderApp(address: string, ports: Ports) {
  const app = createApp(address, ports);
  app.mount();
  return app;
}

/** Renders the app once its first page is loaded, as main.tsx does; `meanwhile` happens between the two. */
export async function renderLoadedApp(address: string, ports: Ports, meanwhile: () => Promise<unknown>) {
  const app = createApp(address, ports);
  await vi.waitUntil(() => app.router.state.initialized);
  await meanwhile();
  app.mount();
  return app;
}

function createApp(address: string, { api, gateway }: Ports) {
  const session = createSession(async () => gateway);
  const router = createMemoryRouter(createRoutes(), {
    initialEntries: [address],
    getContext: servicesContext({ api, session }),
  });
  const mount = () => {
    render(
      <AuthProvider session={session}>
        <ApiProvider api={api}>
          <RouterProvider router={router} />
        </ApiProvider>
      </AuthProvider>,
    );
  };
  return { router, session, user: userEvent.setup(), mount };
}
