import { matchRoutes, type RouteObject } from "react-router-dom";

/** How long a pointer must rest on a link before it counts as intent, in ms. */
const INTENT_MS = 65;

/**
 * Fetches the code of a page when somebody is about to go there: a pointer rests on its link, or focus reaches it.
 * Listens once for the whole document; answers how to stop. Data is left to the loader, which asks when the person does.
 */
export function prefetchOnIntent(routes: RouteObject[]): () => void {
  let timer: number | undefined;

  const consider = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    window.clearTimeout(timer);
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin) return;
    timer = window.setTimeout(() => loadCode(routes, link.pathname), INTENT_MS);
  };

  document.addEventListener("pointerover", consider, { passive: true });
  document.addEventListener("focusin", consider);
  return () => {
    window.clearTimeout(timer);
    document.removeEventListener("pointerover", consider);
    document.removeEventListener("focusin", consider);
  };
}

/** Loads the modules of every route that the address matches. A module already there is not fetched again. */
export function loadCode(routes: RouteObject[], pathname: string): void {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    if (typeof route.lazy !== "object") continue;
    for (const load of Object.values(route.lazy)) {
      // Only a guess: if it fails, the navigation itself tries again and says so.
      if (typeof load === "function") load().catch(() => undefined);
    }
  }
}
