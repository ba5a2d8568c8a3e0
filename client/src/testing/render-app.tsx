import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { servicesContext } from "../app/router.tsx";
import { createRoutes } from "../app/routes.tsx";
import { AuthProvider } from "../auth/auth-context.tsx";
import type { AuthGateway } from "../auth/auth-gateway.ts";
import { createSession } from "../auth/session.ts";
import type { Api } from "../lib/api.ts";
import { ApiProvider } from "../lib/api-provider.tsx";

/** Renders the whole app at an address, over the given ports. */
export function renderApp(address: string, { api, gateway }: { api: Api; gateway: AuthGateway }) {
  const session = createSession(async () => gateway);
  const router = createMemoryRouter(createRoutes(), {
    initialEntries: [address],
    getContext: servicesContext({ api, session }),
  });
  render(
    <AuthProvider session={session}>
      <ApiProvider api={api}>
        <RouterProvider router={router} />
      </ApiProvider>
    </AuthProvider>,
  );
  return { router, session, user: userEvent.setup() };
}
