import { type LoaderFunctionArgs, matchRoutes, type RouteObject } from "react-router-dom";
import { routerContext, type Services } from "./router.tsx";
import { routes } from "./routes.tsx";

/** How long a pointer must rest on a link before it counts as intent, in ms. */
const INTENT_MS = 65;

/**
 * Fetches a page's code and data when somebody is about to open it: the pointer rests on its link or presses it, or the
 * link receives focus. Returns a function that removes the listeners from the document.
 */
export function prefetchOnIntent(services: Services, tree: RouteObject[] = routes): () => void {
  let timer: number | undefined;

  const schedule = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    window.clearTimeout(timer);
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin || isSavingData())
      return;
    timer = window.setTimeout(
      () => prefetch(services, link.href, tree),
      event.type === "pointerdown" ? 0 : INTENT_MS,
    );
  };
  // After a click the router loads the page itself.
  const cancel = () => window.clearTimeout(timer);

  document.addEventListener("pointerover", schedule, { passive: true });
  document.addEventListener("pointerdown", schedule, { passive: true });
  document.addEventListener("focusin", schedule);
  document.addEventListener("click", cancel);
  return () => {
    cancel();
    document.removeEventListener("pointerover", schedule);
    document.removeEventListener("pointerdown", schedule);
    document.removeEventListener("focusin", schedule);
    document.removeEventListener("click", cancel);
  };
}

/** Imports the modules of every route that the URL matches, and runs their loaders, which fill the query cache. */
export function prefetch(services: Services, href: string, tree: RouteObject[] = routes): void {
  for (const { route, params } of matchRoutes(tree, new URL(href).pathname) ?? []) {
    // If this fails, the navigation itself tries again and reports the error.
    void load(route, { params, request: new Request(href), context: routerContext(services)() }).catch(
      () => undefined,
    );
  }
}

async function load(route: RouteObject, args: Omit<LoaderFunctionArgs, "url" | "pattern">): Promise<void> {
  const { loader } = typeof route.lazy === "function" ? await route.lazy() : route;
  if (typeof loader === "function") await loader(args as LoaderFunctionArgs);
}

/** Whether the browser's data saver is on. */
function isSavingData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
