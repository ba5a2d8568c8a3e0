import { type LoaderFunctionArgs, matchRoutes, type RouteObject } from "react-router-dom";
import { routerContext, type Services } from "./router.tsx";
import { routes } from "./routes.tsx";

/** How long a pointer must rest on a link before it counts as intent, in ms. */
const INTENT_MS = 65;

/**
 * Fetches code and data of a page when somebody is about to go there: a pointer rests on its link or presses it, or
 * focus reaches it. Listens once for the whole document. Returns how to stop.
 */
export function prefetchOnIntent(services: Services, tree: RouteObject[] = routes): () => void {
  let timer: number | undefined;

  const consider = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    window.clearTimeout(timer);
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin || savesData()) return;
    timer = window.setTimeout(
      () => prefetch(services, link.href, tree),
      event.type === "pointerdown" ? 0 : INTENT_MS,
    );
  };
  // From here on the router loads the page itself.
  const cancel = () => window.clearTimeout(timer);

  document.addEventListener("pointerover", consider, { passive: true });
  document.addEventListener("pointerdown", consider, { passive: true });
  document.addEventListener("focusin", consider);
  document.addEventListener("click", cancel);
  return () => {
    cancel();
    document.removeEventListener("pointerover", consider);
    document.removeEventListener("pointerdown", consider);
    document.removeEventListener("focusin", consider);
    document.removeEventListener("click", cancel);
  };
}

/** Imports the modules of every route that the address matches, and runs their loaders, which fill the query cache. */
export function prefetch(services: Services, href: string, tree: RouteObject[] = routes): void {
  for (const { route, params } of matchRoutes(tree, new URL(href).pathname) ?? []) {
    // Only a guess: if it fails, the navigation itself tries again and says so.
    void load(route, { params, request: new Request(href), context: routerContext(services)() }).catch(
      () => undefined,
    );
  }
}

async function load({ lazy }: RouteObject, args: Omit<LoaderFunctionArgs, "url" | "pattern">): Promise<void> {
  const loaded = typeof lazy === "function" ? await lazy() : {};
  if (typeof loaded.loader === "function") await loaded.loader(args as LoaderFunctionArgs);
}

/** True if the person asked the browser to save data: then nothing is fetched on a guess. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
