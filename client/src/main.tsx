import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App, createRouter, createServices, loadPage } from "./app/app.tsx";
import { closeOnBack } from "./app/close-on-back.ts";
import { createSession } from "./auth/session.tsx";
import { createApi } from "./lib/api.ts";
import { watchReadiness } from "./lib/api-status.ts";
import { apiOrigin } from "./lib/env.ts";
import { captureInstallPrompt } from "./lib/install.ts";
import { trackLoadFailures } from "./lib/load-failures.ts";
import { MAX_RENDERED, pageData } from "./lib/page-data.ts";
import { fillCache } from "./lib/query-client.ts";
import { whenIdle } from "./ui/lazy-module.ts";
import "./styles.css";

trackLoadFailures();
captureInstallPrompt();
closeOnBack();
// Unavailable over plain HTTP; then only the offline page is missing.
if (import.meta.env.PROD)
  whenIdle(() => void navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined));

const session = createSession(() => import("./auth/firebase.ts"));
const services = createServices({
  session,
  api: createApi({ origin: apiOrigin, getToken: session.getToken }),
});
watchReadiness(`${apiOrigin}/ready`);
void start();

/** Hydrates the page that the server has rendered. A page without content is rendered here. */
async function start(): Promise<void> {
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root.");
  const { pathname, search } = window.location;
  // If the code of a rendered page does not load, the router reports that.
  const isLoaded =
    pageData &&
    (await loadPage(pathname).then(
      () => true,
      () => false,
    ));
  if (pageData) fillCache(services.queryClient, pageData.queries);
  // A longer list than the server renders at once is rendered here.
  const isTooLong = Number(new URLSearchParams(search).get("shown")) > MAX_RENDERED;
  const router = createRouter(services, isTooLong ? undefined : pageData?.loaderData);
  const app = (
    <StrictMode>
      <App services={services} router={router} />
    </StrictMode>
  );
  // A transition renders in slices, so taps and scrolling are not blocked until the whole page is done.
  startTransition(() => {
    if (isLoaded && !isTooLong) hydrateRoot(root, app);
    else createRoot(root).render(app);
  });
}
