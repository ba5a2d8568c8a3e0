import { renderToString } from "react-dom/server";
import { createMemoryRouter, type RouteObject } from "react-router-dom";
import { App } from "./app/app.tsx";
import { createServices, routerContext } from "./app/router.tsx";
import { routes } from "./app/routes.tsx";
import { createSession } from "./auth/session.ts";
import { type PageFacts, recordPageFacts } from "./ui/page-head.tsx";

export type PrerenderedPage = { html: string; facts: PageFacts | undefined };

/** Long enough for a page's modules to load; its data never arrives while building. */
const MODULES_MS = 2_000;

/**
 * Renders a public page as it looks before any data is there: what needs no data in full, the rest as its loading
 * state. Runs at build time only; nothing responds here, neither the API nor the identity provider.
 */
export async function prerender(path: string): Promise<PrerenderedPage> {
  const session = createSession(() => new Promise(() => undefined));
  const api = { call: () => new Promise<never>(() => undefined) };
  const services = createServices({ api, session });
  const router = createMemoryRouter(routes, {
    initialEntries: [path],
    getContext: routerContext(services),
  });
  await Promise.race([initialized(router), new Promise((resolve) => setTimeout(resolve, MODULES_MS))]);
  const [error] = Object.values(router.state.errors ?? {});
  if (error) throw new Error(`${path} cannot be prerendered.`, { cause: error });
  const facts = recordPageFacts();
  const html = renderToString(<App services={services} router={router} />);
  router.dispose();
  return { html, facts: facts() };
}

/** The path patterns that have a page (`/people/:id`), so that a server can tell them from unknown addresses. */
export function routePatterns(tree: RouteObject[] = routes, parent = ""): string[] {
  return tree.flatMap(({ path = "", index, children }) => {
    if (path === "*") return [];
    const pattern = [parent, path].filter(Boolean).join("/");
    const own = index || (path && !children) ? [`/${pattern}`] : [];
    return [...own, ...routePatterns(children ?? [], pattern)];
  });
}

function initialized(router: ReturnType<typeof createMemoryRouter>): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe((state) => {
      if (!state.initialized) return;
      stop();
      resolve();
    });
  });
}
