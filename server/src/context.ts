import type { Logger } from "pino";
import type { AccountAdmin } from "./auth/token-verifier.ts";
import type { Config } from "./config.ts";
import type { ChangeFeed } from "./db/change-feed.ts";
import type { Database } from "./db/client.ts";
import type { Jobs } from "./db/jobs.ts";
import type { ReadCache } from "./db/read-cache.ts";
import type { Storage } from "./features/files/storage.ts";
import type { SiteOrigin } from "./http/site.ts";

/** The settings that features read; tests give those that they need. */
type Settings = Pick<Config, "env" | "corsOrigins" | "trustProxy"> &
  Partial<Omit<Config, "firebase">> & { firebase: Partial<Config["firebase"]> };

/** What the routes of every feature work with. */
export type Context = {
  database: Database;
  readCache: ReadCache;
  /** Starts what events leave for later. */
  jobs: Pick<Jobs, "nudge">;
  /** Without it there are no live events. */
  changes: ChangeFeed | undefined;
  /** Without it the server cannot look up or delete accounts at the identity provider. */
  accounts: AccountAdmin | undefined;
  logger: Logger;
  /** The clock, for what is not part of a request. */
  now: () => Date;
  settings: Settings;
  /** A request without a response after this many milliseconds gets a 503. */
  deadlineMs: number;
  /** Aborted when this server starts to shut down. */
  stopping: AbortSignal;
  /** The content of files. */
  storage: Storage;
  /** The public address of the site. */
  origin: SiteOrigin;
};
