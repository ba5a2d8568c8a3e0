import { pino } from "pino";
import { loadConfig } from "../src/config.ts";
import { createAnnouncer } from "../src/db/announcements.ts";
import { openDatabase } from "../src/db/client.ts";
import { createSearchAlerts } from "../src/features/saved-searches/search-alerts.ts";
import { periodicJobs } from "../src/jobs.ts";
import { startJobs } from "../src/schedule-periodic.ts";
import { jobsAhead } from "./ahead.ts";

/*
 * A process beside an instance, with its configuration: it does the product's own jobs that wait for minutes, by a clock
 * that is ahead, and is killed and started with the instance. Nobody waits for ten minutes of a run that lasts four, and
 * the product needs no setting for it.
 */
const config = loadConfig(process.env);
const logger = pino({ level: config.logLevel });
const database = await openDatabase(config.mongodb);
const stopping = new AbortController();
const jobs = startJobs(
  jobsAhead(
    periodicJobs({
      database,
      announcer: createAnnouncer(database, { log: logger }),
      alerts: createSearchAlerts(database, { log: logger, emails: true }),
      accounts: undefined,
      mail: config.mail,
      logger,
      signal: stopping.signal,
    }),
  ),
  logger,
);
process.send?.("ready");

process.once("SIGTERM", async () => {
  stopping.abort();
  await jobs.stop();
  process.exit(0);
});
