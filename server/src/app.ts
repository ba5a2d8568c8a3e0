import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { rememberTokens } from "./auth/remember-tokens.ts";
import type { TokenVerifier } from "./auth/token-verifier.ts";
import type { Config } from "./config.ts";
import { type Announcer, createAnnouncer } from "./db/announcer.ts";
import type { ChangeFeed } from "./db/change-feed.ts";
import type { Database } from "./db/client.ts";
import { idempotencyStore } from "./db/idempotency-store.ts";
import { createReadCache } from "./db/read-cache.ts";
import { accountRoutes } from "./features/account-data/account-routes.ts";
import { closedSessions, closureStore, refuseClosedSessions } from "./features/account-data/closures.ts";
import { eraseSteps } from "./features/account-data/erase-steps.ts";
import { overviewReader } from "./features/account-data/overview.ts";
import { ownDataQueries } from "./features/account-data/own-data-queries.ts";
import { bidCommands } from "./features/bids/bid-commands.ts";
import { bidQueries } from "./features/bids/bid-queries.ts";
import { bidRoutes } from "./features/bids/bid-routes.ts";
import { presentBid } from "./features/bids/present-bid.ts";
import { liveHub } from "./features/notifications/live-hub.ts";
import { liveRoutes } from "./features/notifications/live-routes.ts";
import { liveTaskReader } from "./features/notifications/live-task.ts";
import { notificationRoutes } from "./features/notifications/notification-routes.ts";
import { notificationStore } from "./features/notifications/notification-store.ts";
import { peopleRoutes } from "./features/people/people-routes.ts";
import { personStore } from "./features/people/person-store.ts";
import { rememberPeople } from "./features/people/remember-person.ts";
import { reportRoutes } from "./features/reports/report-routes.ts";
import { reportStore } from "./features/reports/report-store.ts";
import { visibilityStore } from "./features/reports/visibility-store.ts";
import { profileStore } from "./features/reviews/profile-store.ts";
import { reviewRoutes } from "./features/reviews/review-routes.ts";
import { reviewStore } from "./features/reviews/review-store.ts";
import { addressStore } from "./features/tasks/address-store.ts";
import { ownTaskStore } from "./features/tasks/own-task-store.ts";
import { taskRoutes } from "./features/tasks/task-routes.ts";
import { taskStore } from "./features/tasks/task-store.ts";
import { authenticate } from "./http/authenticate.ts";
import { crossOrigin } from "./http/cross-origin.ts";
import { DEADLINE_MS, deadline, dropLate } from "./http/deadline.ts";
import { healthRoutes, type ReadinessCheck } from "./http/health.ts";
import { idempotency } from "./http/idempotency.ts";
import type { RateLimits } from "./http/limits/rate-limits.ts";
import { openapiRoutes } from "./http/openapi/openapi-routes.ts";
import { permissions } from "./http/permissions.ts";
import { problemHandler, routeNotFound } from "./http/problem-handler.ts";
import { requestLog } from "./http/request-log.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { sharedAnswers } from "./http/shared-answers.ts";
import { lastAnswers, type Stopping, stoppable } from "./http/stopping.ts";
import { strictRequest } from "./http/strict-request.ts";
import { inlineScriptHashes, webApp } from "./http/web-app.ts";

/** All that the application needs from outside. */
export type AppDeps = {
  database: Database;
  /** News of what others write. Without it nothing that was read is kept. */
  changes?: ChangeFeed | undefined;
  /** Tells people what was announced; one of its own without it. */
  announcer?: Pick<Announcer, "nudge">;
  verifier: TokenVerifier;
  logger: Logger;
  /** The present instant; tests choose their own. */
  now: () => Date;
  settings: Pick<Config, "env" | "corsOrigins" | "firebase" | "trustProxy" | "webRoot" | "mail">;
  /** Handlers that see every request first: the local launcher's proxies. */
  front?: RequestHandler[];
  /** Handlers that come right after those: measuring, shedding load. */
  gates?: RequestHandler[];
  /** False renders every answer anew, also for anonymous visitors. */
  keepAnswers?: boolean | undefined;
  /** Without them nobody is limited. */
  limits?: RateLimits | undefined;
  /** After how many milliseconds without an answer it is 503; see {@link deadline}. */
  patienceMs?: number;
  /** What else than the database has to be in order for `/ready` to be 200. */
  readiness?: readonly ReadinessCheck[];
  /** Tells when this server is about to stop. */
  stopping?: Stopping;
};

/** First path segments of the API. The web app never answers there, whatever a browser asks for. */
const API_PATHS = [
  ...["/tasks", "/me", "/profiles", "/reports"],
  ...["/health", "/ready", "/openapi.json", "/api-docs"],
] as const;
/** Those where nobody is anybody: no token is looked at, and nothing is asked of the database for them. */
const OPEN_PATHS: readonly string[] = ["/health", "/ready", "/openapi.json", "/api-docs"];

/** So long after its deadline a commit may still be on its way; after that a request is given up for dead. */
const SETTLING_MS = 1_000;

const GUARDED_PATHS = API_PATHS.filter((path) => !OPEN_PATHS.includes(path));

/** The pages among the API's answers. */
const API_PAGES = ["/api-docs", "/me/unsubscribe"] as const;

/** Is this a path of the API, and of no page? */
function isData(path: string): boolean {
  const asked = path.toLowerCase();
  const isBelow = (known: string) => asked === known || asked.startsWith(`${known}/`);
  return API_PATHS.some(isBelow) && !API_PAGES.some(isBelow);
}

/** Puts the application together. Reads no environment, opens no connection, does not listen. */
export function createApp(deps: AppDeps): Express {
  const {
    database,
    changes,
    verifier,
    logger,
    now,
    settings,
    front = [],
    gates = [],
    keepAnswers,
    limits,
  } = deps;
  const { stopping = stoppable(), patienceMs: deadlineMs = DEADLINE_MS } = deps;
  const { announcer = createAnnouncer(database, { log: logger }) } = deps;
  const { webRoot } = settings;
  const readCache = createReadCache(changes);
  const notifications = notificationStore(database);
  const persons = personStore(database);
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", settings.trustProxy);

  for (const handler of [...front, ...gates]) app.use(handler);
  app.use(
    lastAnswers(stopping),
    requestLog(logger),
    securityHeaders({
      production: settings.env === "production",
      scriptHashes: webRoot ? inlineScriptHashes(webRoot) : [],
      isData,
      ...settings.firebase,
    }),
  );
  app.use([...API_PATHS], crossOrigin(settings.corsOrigins));

  const closures = closureStore(database);
  const sessions = closedSessions(closures, changes);
  app.use(
    GUARDED_PATHS,
    deadline(deadlineMs),
    strictRequest,
    ...(limits ? [limits.byAddress] : []),
    authenticate(rememberTokens(verifier)),
    ...(limits ? [limits.byUser] : []),
    refuseClosedSessions(sessions),
    permissions,
    rememberPeople(persons, { now }),
    idempotency({ store: idempotencyStore(database, { lockMs: deadlineMs + SETTLING_MS }), now }),
  );
  app.use(
    taskRoutes({
      store: taskStore(database, readCache),
      own: ownTaskStore(database, readCache, announcer),
      addresses: addressStore(database),
      answer: sharedAnswers(readCache, { keepAnswers }),
      presentBid,
      now,
    }),
  );
  app.use(reviewRoutes({ profiles: profileStore(database), reviews: reviewStore(database), now }));
  app.use(
    reportRoutes({ reports: reportStore(database), visibility: visibilityStore(database, readCache), now }),
  );
  app.use(
    bidRoutes({ queries: bidQueries(database), commands: bidCommands(database, readCache, announcer), now }),
  );
  app.use(notificationRoutes({ store: notifications, now }));
  const { countUnread } = notifications;
  const readTask = liveTaskReader(database, now);
  const hub = changes && liveHub({ changes, store: notifications, readTask, now, log: logger });
  if (hub) stopping.onStopping(hub.close);
  app.use(liveRoutes({ hub, isClosed: sessions.has }));
  app.use(peopleRoutes({ store: persons, countUnread, emailAvailable: settings.mail !== undefined, now }));
  const deletion = {
    steps: eraseSteps(database, announcer),
    closures,
    sessions,
    invalidateAfter: readCache.invalidateAfter,
  };
  app.use(
    accountRoutes({
      readOverview: overviewReader(database),
      ownData: ownDataQueries(database),
      deletion,
      now,
    }),
  );

  // The busy routes stand first; nothing before these two is about their paths.
  app.use(healthRoutes({ ping: database.ping, checks: deps.readiness, isStopping: () => stopping.begun }));
  app.use(openapiRoutes());

  if (webRoot) app.use(webApp(webRoot, API_PATHS));
  app.use(routeNotFound);
  app.use(dropLate);
  app.use(problemHandler);
  return app;
}
