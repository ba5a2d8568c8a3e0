import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { cacheVerifiedTokens } from "./auth/token-cache.ts";
import type { AccountAdmin, TokenVerifier } from "./auth/token-verifier.ts";
import type { Config } from "./config.ts";
import { API_ROOTS } from "./contract/endpoints.ts";
import type { ChangeFeed } from "./db/change-feed.ts";
import type { Database } from "./db/client.ts";
import { dailyLimit } from "./db/daily-limit.ts";
import { idempotencyStore } from "./db/idempotency-store.ts";
import { createJobs, type Jobs } from "./db/jobs.ts";
import { createReadCache } from "./db/read-cache.ts";
import { accountFeature } from "./features/account-data/account-feature.ts";
import { closureStore } from "./features/account-data/closures.ts";
import { bidsFeature } from "./features/bids/bids-feature.ts";
import { presentBid } from "./features/bids/present-bid.ts";
import { conversationQueries } from "./features/conversations/conversation-queries.ts";
import { conversationsFeature } from "./features/conversations/conversations-feature.ts";
import { deliveryFeature } from "./features/delivery/delivery-feature.ts";
import { notificationStore } from "./features/notifications/notification-store.ts";
import { notificationsFeature } from "./features/notifications/notifications-feature.ts";
import { personAdmission } from "./features/people/admit-person.ts";
import { peopleFeature } from "./features/people/people-feature.ts";
import { personStore } from "./features/people/person-store.ts";
import { questionsFeature } from "./features/questions/questions-feature.ts";
import { operatorStore } from "./features/reports/operator-store.ts";
import { reportStore } from "./features/reports/report-store.ts";
import { reportsFeature } from "./features/reports/reports-feature.ts";
import { profileQueries } from "./features/reviews/profile-queries.ts";
import { reviewsFeature } from "./features/reviews/reviews-feature.ts";
import { savedSearchStore } from "./features/saved-searches/saved-search-store.ts";
import { savedSearchesFeature } from "./features/saved-searches/saved-searches-feature.ts";
import { savedTasksFeature } from "./features/saved-tasks/saved-tasks-feature.ts";
import { sitemapFeature } from "./features/sitemap/sitemap-feature.ts";
import { suspensionEnforcer } from "./features/suspensions/enforce-suspensions.ts";
import { suspensionStore } from "./features/suspensions/suspension-store.ts";
import { suspensionsFeature } from "./features/suspensions/suspensions-feature.ts";
import { tasksFeature } from "./features/tasks/tasks-feature.ts";
import { mountHealth, type ReadinessCheck } from "./http/health.ts";
import { idempotency } from "./http/idempotency.ts";
import { createApi, DEADLINE_MS } from "./http/mount.ts";
import { apiDocsAssets, mountApiDocs } from "./http/openapi/api-docs.ts";
import { problemHandler, routeNotFound } from "./http/problem.ts";
import { renderedPages } from "./http/rendered-pages.ts";
import type { RateLimits } from "./http/request-limits.ts";
import { requestLog } from "./http/request-log.ts";
import { responseHeaders } from "./http/response-headers.ts";
import { siteOrigin } from "./http/site.ts";
import { inlineScriptHashes, webApp } from "./http/web-app.ts";
import { eventJobs } from "./jobs.ts";

/** Everything the application gets from outside. */
export type AppDeps = {
  database: Database;
  /** Without it there are no live events. */
  changes?: ChangeFeed | undefined;
  /** Does what events leave for later; by default what they leave for immediately. */
  jobs?: Pick<Jobs, "nudge">;
  verifier: TokenVerifier;
  /** Without it the server cannot look up or delete accounts at the identity provider. */
  accounts?: AccountAdmin | undefined;
  logger: Logger;
  /** The clock; tests replace it. */
  now?: () => Date;
  settings: Pick<
    Config,
    | "env"
    | "corsOrigins"
    | "firebase"
    | "trustProxy"
    | "webRoot"
    | "webUrl"
    | "mail"
    | "bidsPerDay"
    | "tasksPerDay"
  >;
  /** Runs before everything else: the local launcher's proxies, then metrics and load shedding. */
  earlyMiddleware?: RequestHandler[];
  /** How long copies for anonymous visitors live, in ms; 0 keeps none. */
  cacheMs?: number | undefined;
  /** Without them there is no rate limiting. */
  limits?: RateLimits | undefined;
  /** A request without a response after this many milliseconds gets a 503. */
  deadlineMs?: number;
  /** What `/ready` checks besides the database. */
  readiness?: readonly ReadinessCheck[];
  /** Aborted when this server starts to shut down. */
  stopping?: AbortSignal;
};

/** A commit may finish this long after the request's deadline; after that the request counts as dead. */
const COMMIT_GRACE_MS = 1_000;

/** Composes the application. Reads no environment variables, opens no connections and does not listen. */
export function createApp(deps: AppDeps): Express {
  const { database, changes, verifier, logger, now, settings, limits } = deps;
  const { earlyMiddleware = [], deadlineMs = DEADLINE_MS, stopping = new AbortController().signal } = deps;
  const { accounts } = deps;
  const { jobs = createJobs(database, eventJobs({ database, mail: settings.mail }), { log: logger, now }) } =
    deps;
  const emailAvailable = settings.mail !== undefined;
  const { webRoot } = settings;
  const readCache = createReadCache(deps.cacheMs);
  const notifications = notificationStore(database);
  const persons = personStore(database);
  const profiles = profileQueries(database, readCache);
  const bidLimit = dailyLimit(database, "bids", settings.bidsPerDay);
  const reports = reportStore(database, jobs);
  const operators = operatorStore(database);
  const conversations = conversationQueries(database);
  const closures = closureStore(database);
  const suspensions = suspensionStore(database);

  const api = createApi({
    verifier: cacheVerifiedTokens(verifier),
    limits,
    idempotency: idempotency(idempotencyStore(database, { lockMs: deadlineMs + COMMIT_GRACE_MS })),
    admit: personAdmission(database, persons, accounts !== undefined),
    deadlineMs,
    now,
  });
  const origin = siteOrigin(settings.webUrl);
  tasksFeature(api, {
    database,
    readCache,
    jobs,
    presentBid,
    tasksPerDay: settings.tasksPerDay,
    bidsLeft: bidLimit.fewLeft,
    clientRecord: profiles.clientRecord,
    origin,
  });
  questionsFeature(api, { database, jobs });
  bidsFeature(api, { database, jobs, dailyLimit: bidLimit });
  conversationsFeature(api, { database, queries: conversations });
  deliveryFeature(api, { database, jobs });
  savedSearchesFeature(api, savedSearchStore(database));
  reviewsFeature(api, { database, profiles });
  reportsFeature(api, { store: reports, operators });
  suspensionsFeature(api, {
    store: suspensions,
    enforcer: suspensionEnforcer({ database, store: suspensions, accounts }),
    log: logger,
  });
  savedTasksFeature(api, database);
  notificationsFeature(api, {
    database,
    store: notifications,
    conversations,
    changes,
    stopping,
    now,
    logger,
  });
  peopleFeature(api, {
    database,
    store: persons,
    countUnread: notifications.countUnread,
    countUnreadConversations: conversations.countUnread,
    countForOperators: async () => {
      const [openReports, openItems] = await Promise.all([
        reports.countUnsettled(),
        operators.countWaiting(),
      ]);
      return { openReports, openItems };
    },
    emailAvailable,
  });
  accountFeature(api, { database, jobs, closures, deadlineMs });
  mountHealth(api, {
    ping: database.ping,
    pingProvider: accounts && (() => accounts.exists("nobody")),
    checks: deps.readiness,
    isStopping: () => stopping.aborted,
  });
  sitemapFeature(api, { database, origin });
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
