import { type LoaderFunctionArgs, matchRoutes, type RouteObject } from "react-router-dom";
import { savesData } from "../lib/saves-data.ts";
import { type Services, servicesContext } from "./router.tsx";

/** How long a pointer must rest on a link before it counts as intent, in ms. */
const INTENT_MS = 65;

/**
 * Fetches code and data of a page when somebody is about to go there: a pointer rests on its link or presses it, or
 * focus reaches it. Listens once for the whole document; answers how to stop. `services.api` reads ahead.
 */
export function prefetchOnIntent(routes: RouteObject[], services: Services): () => void {
  let timer: number | undefined;

  const consider = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    window.clearTimeout(timer);
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin || savesData()) return;
    timer = window.setTimeout(
      () => prefetch(routes, link.href, services),
      event.type === "pointerdown" ? 0 : INTENT_MS,
    );
  };
  // From here on the router asks for itself.
  const gone = () => window.clearTimeout(timer);

  document.addEventListener("pointerover", consider, { passive: true });
  document.addEventListener("pointerdown", consider, { passive: true });
  document.addEventListener("focusin", consider);
  document.addEventListener("click", gone);
  return () => {
    gone();
    document.removeEventListener("pointerover", consider);
    document.removeEventListener("pointerdown", consider);
    document.removeEventListener("focusin", consider);
    document.removeEventListener("click", gone);
  };
}

/**
 * Loads the modules of every route that the address matches, and runs their loaders over the API that reads ahead. A
 * module already there is not fetched again.
 */
export function prefetch(routes: RouteObject[], href: string, services: Services): void {
  const { pathname } = new URL(href);
  for (const { route, params } of matchRoutes(routes, pathname) ?? []) {
    if (typeof route.lazy !== "object") continue;
    const { loader, ...others } = route.lazy;
    // Only a guess: if it fails, the navigation itself tries again and says so.
    for (const load of Object.values(others)) {
      if (typeof load === "function") load().catch(() => undefined);
    }
    if (loader) void readAhead(loader, href, params, services).catch(() => undefined);
  }
}

type LazyLoader = () => Promise<unknown>;

async function readAhead(
  load: LazyLoader,
  href: string,
  params: LoaderFunctionArgs["params"],
  services: Services,
): Promise<void> {
  const loader = await load();
  if (typeof loader !== "function") return;
  await loader({ request: new Request(href), params, context: servicesContext(services)() });
}
