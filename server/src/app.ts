import express, { type Express, type RequestHandler } from "express";
import { cacheVerifiedTokens } from "./auth/token-cache.ts";
import type { TokenVerifier } from "./auth/token-verifier.ts";
import type { Context } from "./context.ts";
import { API_ROOTS } from "./contract/endpoints.ts";
import { createJobs } from "./db/jobs.ts";
import { createReadCache } from "./db/read-cache.ts";
import { accountRoutes } from "./features/account-data/routes.ts";
import { agreementRoutes } from "./features/agreements/routes.ts";
import { bidRoutes } from "./features/bids/routes.ts";
import { conversationRoutes } from "./features/conversations/routes.ts";
import { deliveryRoutes } from "./features/delivery/routes.ts";
import { disputeRoutes } from "./features/disputes/routes.ts";
import { fileRoutes } from "./features/files/routes.ts";
import { openStorage } from "./features/files/storage.ts";
import { invoiceRoutes } from "./features/invoices/routes.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { paymentRoutes } from "./features/payments/routes.ts";
import { personAdmission } from "./features/people/admit-person.ts";
import { peopleRoutes } from "./features/people/routes.ts";
import { personStore } from "./features/people/store.ts";
import { questionRoutes } from "./features/questions/routes.ts";
import { reportRoutes } from "./features/reports/routes.ts";
import { reviewRoutes } from "./features/reviews/routes.ts";
import { savedSearchRoutes } from "./features/saved-searches/routes.ts";
import { savedTaskRoutes } from "./features/saved-tasks/routes.ts";
import { sitemapRoutes } from "./features/sitemap/routes.ts";
import { suspensionRoutes } from "./features/suspensions/routes.ts";
import { taskRoutes } from "./features/tasks/routes.ts";
import { mountHealth, type ReadinessCheck } from "./http/health.ts";
import { idempotency } from "./http/idempotency.ts";
import { requestLog } from "./http/monitoring.ts";
import { type Api, createApi, DEADLINE_MS } from "./http/mount.ts";
import { apiDocsAssets, mountApiDocs } from "./http/openapi/api-docs.ts";
import { problemHandler, routeNotFound } from "./http/problem.ts";
import type { RateLimits } from "./http/rate-limit.ts";
import { renderedPages } from "./http/rendered-pages.ts";
import { responseHeaders } from "./http/response-headers.ts";
import { siteOrigin } from "./http/site.ts";
import { inlineScriptHashes, webApp } from "./http/web-app.ts";
import { eventJobs } from "./jobs.ts";

/** Everything the application gets from outside; by default it does what events leave for later immediately. */
export type AppDeps = Pick<Context, "database" | "logger" | "settings"> &
  Partial<Pick<Context, "changes" | "accounts" | "jobs" | "now" | "deadlineMs" | "stopping">> & {
    verifier: TokenVerifier;
    /** Runs before everything else: the local launcher's proxies, then metrics and load shedding. */
    earlyMiddleware?: RequestHandler[];
    /** How long copies for anonymous visitors live, in ms; 0 keeps none. */
    cacheMs?: number | undefined;
    /** Without them there is no rate limiting. */
    limits?: RateLimits | undefined;
    /** What `/ready` checks besides the database. */
    readiness?: readonly ReadinessCheck[];
  };

/** The routes of every feature. */
const ROUTES: readonly ((api: Api, context: Context) => void)[] = [
  taskRoutes,
  questionRoutes,
  bidRoutes,
  conversationRoutes,
  agreementRoutes,
  deliveryRoutes,
  disputeRoutes,
  paymentRoutes,
  invoiceRoutes,
  fileRoutes,
  savedSearchRoutes,
  reviewRoutes,
  reportRoutes,
  suspensionRoutes,
  savedTaskRoutes,
  notificationRoutes,
  peopleRoutes,
  accountRoutes,
  sitemapRoutes,
];

/** Composes the application. Reads no environment variables, opens no connections and does not listen. */
export function createApp(deps: AppDeps): Express {
  const { database, changes, verifier, accounts, logger, now, settings, limits } = deps;
  const { earlyMiddleware = [], deadlineMs = DEADLINE_MS, stopping = new AbortController().signal } = deps;
  const { jobs = createJobs(database, eventJobs({ ...settings, database }), { log: logger, now }) } = deps;
  const { webRoot } = settings;
  const readCache = createReadCache(deps.cacheMs);
  const origin = siteOrigin(settings.webUrl);

  const api = createApi({
    verifier: cacheVerifiedTokens(verifier),
    limits,
    idempotency: idempotency(database.idempotencyKeys),
    admit: personAdmission(database, personStore(database), accounts !== undefined),
    jobs,
    deadlineMs,
    now,
  });
  const context: Context = {
    database,
    readCache,
    jobs,
    changes,
    accounts,
    logger,
    now: now ?? (() => new Date()),
    settings,
    deadlineMs,
    stopping,
    storage: openStorage(database, settings),
    origin,
  };
  for (const mountRoutes of ROUTES) mountRoutes(api, context);
  mountHealth(api, {
    ping: database.ping,
    pingProvider: accounts && (() => accounts.exists("nobody")),
    checks: deps.readiness,
    isStopping: () => stopping.aborted,
  });
  mountApiDocs(api);

  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", settings.trustProxy);
  for (const handler of earlyMiddleware) app.use(handler);
  app.use(
    requestLog(logger),
    responseHeaders({
      production: settings.env === "production",
      corsOrigins: settings.corsOrigins,
      scriptHashes: webRoot ? inlineScriptHashes(webRoot) : [],
      ...settings.firebase,
    }),
  );
  app.use(api.router);
  app.use("/api-docs", apiDocsAssets());
  app.use(API_ROOTS, api.notFound);
  if (webRoot) {
    app.use(webApp(webRoot, renderedPages(webRoot, { readCache, origin })));
  }
  app.use(routeNotFound, problemHandler);
  return app;
}
