import type { createMemoryRouter, RouteObject } from "react-router-dom";
import type { Session } from "../auth/session.ts";
import type { Api } from "../lib/api.ts";
import type { EarlyApi } from "../lib/early-api.ts";
import { apiOrigin } from "../lib/env.ts";
import { createMemory } from "../lib/memory.ts";
import { createPatience, isAway, markLost } from "../lib/patience.ts";
import { readingAhead } from "../lib/read-ahead.ts";
import { keepCurrent } from "./going-back.ts";
import { prefetchOnIntent } from "./prefetch.ts";

type App = {
  router: ReturnType<typeof createMemoryRouter>;
  /** A tree that no router has. */
  routes: RouteObject[];
  session: Session;
  /** What the pages call. */
  api: EarlyApi;
  plainApi: Api;
};

/**
 * What makes the second page and the way back quick: a memory of what was read, and reading ahead; and what helps over
 * trouble with the API. No page needs it to be shown, so it is loaded after the first one.
 */
export function afterFirstPage({ router, routes, session, api, plainApi }: App): void {
  const early = api.early.splice(0);
  const memory = createMemory(createPatience(plainApi), early);
  api.next = memory;
  // Ready before there is trouble: then it could not be loaded any more.
  void import("../lib/read-problem.ts").catch(() => undefined);
  void import("./reconnect/show-banner.tsx").then(
    ({ showReconnectBanner }) => showReconnectBanner(apiOrigin),
    () => undefined,
  );
  for (const { answer } of early) answer.catch((error) => isAway(error) && markLost(error));
  void import("./dash-pages.ts").catch(() => undefined);
  keepCurrent(router, memory, session);
  prefetchOnIntent(routes, { api: readingAhead(memory, plainApi), session });
}
