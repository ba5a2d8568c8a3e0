import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router-dom";
import * as z from "zod/mini";
import { createRouter } from "./app/router.tsx";
import { createRoutes } from "./app/routes.tsx";
import { AuthProvider } from "./auth/auth-context.tsx";
import type { AuthGateway } from "./auth/auth-gateway.ts";
import { createSession } from "./auth/session.ts";
import { createApi } from "./lib/api.ts";
import { ApiProvider } from "./lib/api-provider.tsx";
import { createEarlyApi } from "./lib/early-api.ts";
import { apiOrigin } from "./lib/env.ts";
import { noteLoadFailures } from "./lib/load-failures.ts";
import { showTheme, storedTheme } from "./lib/theme.ts";
import "./styles.css";

// zod compiles its schemas with `new Function`, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

showTheme(storedTheme());
noteLoadFailures();

const session = createSession(loadGateway);
const plainApi = createApi({ origin: apiOrigin, getToken: session.getToken });
const api = createEarlyApi(plainApi);
// What one person has read is not for the next.
let told = 0;
session.subscribe(() => {
  told += 1;
  if (told > 1) api.early.length = 0;
});
// Before the router, which listens to the same event: on the window itself even capturing comes in the order of listening.
window.addEventListener("popstate", () => {
  if (api.next) api.next.recalling = true;
});
const router = createRouter({ api, session });

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root.");
void firstPage(router).then(() => {
  void import("./app/after-first-page.ts").then(
    // A tree of its own: the router empties the lazy parts of the one it has.
    ({ afterFirstPage }) => afterFirstPage({ router, routes: createRoutes(), session, api, plainApi }),
    // Without it the pages work, only slower.
    () => {
      api.next = plainApi;
    },
  );
  createRoot(root).render(
    <StrictMode>
      <AuthProvider session={session}>
        <ApiProvider api={api}>
          <RouterProvider router={router} />
        </ApiProvider>
      </AuthProvider>
    </StrictMode>,
  );
});

/**
 * Resolves when the first page can be rendered in full, or after a second. Until then the prerendered page stays: it
 * would only be replaced by a spinner.
 */
function firstPage({ state, subscribe }: typeof router): Promise<void> {
  return new Promise((resolve) => {
    if (state.initialized) return resolve();
    const patience = window.setTimeout(resolve, 1_000);
    const stop = subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      window.clearTimeout(patience);
      resolve();
    });
  });
}

async function loadGateway(): Promise<AuthGateway> {
  return (await import("./auth/open-gateway.ts")).openGateway();
}
