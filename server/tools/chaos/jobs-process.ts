import { pino } from "pino";
import { loadConfig } from "../../src/config.ts";
import { createAnnouncer } from "../../src/db/announcements.ts";
import { openDatabase } from "../../src/db/client.ts";
import { createSearchAlerts } from "../../src/features/saved-searches/search-alerts.ts";
import { periodicJobs } from "../../src/jobs.ts";
import { startJobs } from "../../src/schedule-periodic.ts";
import { fastJobs } from "./fast-jobs.ts";

/*
 * Runs beside an instance with the same configuration: the product's jobs that wait for minutes, with a clock that is
 * ahead. It is killed and started with the instance. So a run need not last ten minutes, and the product needs no setting.
 */
const config = loadConfig(process.env);
const logger = pino({ level: config.logLevel });
const database = await openDatabase(config.mongodb);
const stopping = new AbortController();
const jobs = startJobs(
  fastJobs(
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
