import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import { App } from "./app/app.tsx";
import { prefetchOnIntent } from "./app/prefetch.ts";
import { createRouter, createServices } from "./app/router.tsx";
import { createSession } from "./auth/session.ts";
import { createApi } from "./lib/api.ts";
import { watchReadiness } from "./lib/api-status.ts";
import { apiOrigin } from "./lib/env.ts";
import { keepInstallOffer } from "./lib/install.ts";
import { noteLoadFailures } from "./lib/load-failures.ts";
import { takePageData } from "./lib/query-client.ts";
import { onThemeChange, showTheme, storedTheme } from "./lib/theme.ts";
import { whenIdle } from "./ui/lazy-module.ts";
import "./styles.css";

// zod compiles its schemas with `new Function`, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

showTheme(storedTheme());
// From here on: another tab's switch must not be missed while the first page is rendered.
onThemeChange(showTheme);
noteLoadFailures();
keepInstallOffer();
// Where the page came over plain HTTP there is none, and without one nothing is missing but the offline page.
if (import.meta.env.PROD)
  whenIdle(() => void navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined));

const session = createSession(async () => (await import("./auth/open-gateway.ts")).gateway);
const services = createServices({
  session,
  api: createApi({ origin: apiOrigin, getToken: session.getToken }),
});
takePageData(services.queryClient);
const router = createRouter(services);
watchReadiness(`${apiOrigin}/ready`);

/** So long the page of the build, and the one that the server has filled, are better than a spinner. In ms. */
const PATIENCE_MS = { frame: 1_000, filled: 5_000 } as const;

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root.");
void firstPage(router).then(() => {
  prefetchOnIntent(services);
  // In slices: what is tapped or scrolled meanwhile is not kept waiting for the whole page.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App services={services} router={router} />
      </StrictMode>,
    ),
  );
});

/**
 * Resolves when the first page can be rendered in full, or after a while. Until then the prerendered page stays: it
 * would only be replaced by a spinner.
 */
function firstPage({ state, subscribe }: typeof router): Promise<void> {
  return new Promise((resolve) => {
    if (state.initialized) return resolve();
    const isFilled = document.getElementById("page-data") !== null;
    const timer = window.setTimeout(resolve, isFilled ? PATIENCE_MS.filled : PATIENCE_MS.frame);
    const unsubscribe = subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      window.clearTimeout(timer);
      resolve();
    });
  });
}
