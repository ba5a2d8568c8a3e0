import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import { App } from "./app/app.tsx";
import { closeOnBack } from "./app/close-on-back.ts";
import { prefetchOnIntent } from "./app/prefetch.ts";
import { createRouter, createServices } from "./app/router.tsx";
import { createSession } from "./auth/session.tsx";
import { createApi } from "./lib/api.ts";
import { watchReadiness } from "./lib/api-status.ts";
import { apiOrigin } from "./lib/env.ts";
import { captureInstallPrompt } from "./lib/install.ts";
import { trackLoadFailures } from "./lib/load-failures.ts";
import { hydratePageData } from "./lib/query-client.ts";
import { whenIdle } from "./ui/lazy-module.ts";
import "./styles.css";

// zod compiles its schemas with `new Function`, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

trackLoadFailures();
captureInstallPrompt();
closeOnBack();
// Unavailable over plain HTTP; then only the offline page is missing.
if (import.meta.env.PROD)
  whenIdle(() => void navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined));

const session = createSession(async () => (await import("./auth/open-gateway.ts")).gateway);
const services = createServices({
  session,
  api: createApi({ origin: apiOrigin, getToken: session.getToken }),
});
hydratePageData(services.queryClient);
const router = createRouter(services);
watchReadiness(`${apiOrigin}/ready`);

/** How long a static page and a page with data from the server stay before a spinner replaces them, in ms. */
const MAX_WAIT_MS = { static: 1_000, withData: 5_000 } as const;

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root.");
void firstPageReady(router).then(() => {
  prefetchOnIntent(services);
  // A transition renders in slices, so taps and scrolling are not blocked until the whole page is done.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App services={services} router={router} />
      </StrictMode>,
    ),
  );
});

/** Resolves when the first page can be rendered in full, or after `MAX_WAIT_MS`. Until then the page's HTML stays. */
function firstPageReady({ state, subscribe }: typeof router): Promise<void> {
  return new Promise((resolve) => {
    if (state.initialized) return resolve();
    const hasData = document.getElementById("page-data") !== null;
    const timer = window.setTimeout(resolve, hasData ? MAX_WAIT_MS.withData : MAX_WAIT_MS.static);
    const unsubscribe = subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      window.clearTimeout(timer);
      resolve();
    });
  });
}
