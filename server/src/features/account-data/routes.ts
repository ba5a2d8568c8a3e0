import type { Context } from "../../context.ts";
import { calendarDate } from "../../contract/index.ts";
import { myEndpoints } from "../../contract/me.ts";
import type { Api } from "../../http/mount.ts";
import { sendDownload } from "../../http/response-body.ts";
import { bidsAsCsv, tasksAsCsv } from "./csv-export.ts";
import { exportData } from "./data-export.ts";
import { deletionStore } from "./deletions.ts";
import { deleteAccount } from "./erase-account.ts";
import { eraseSteps } from "./erase-steps.ts";
import { overviewReader } from "./overview.ts";

const CSV = "text/csv; charset=utf-8; header=present";
const JSON_FILE = "application/json; charset=utf-8";

/** The caller's own data: dashboard overview, JSON and CSV exports, account deletion. */
export function accountRoutes(api: Api, { database, jobs, deadlineMs }: Context): void {
  const readOverview = overviewReader(database);
  const erasure = {
    steps: eraseSteps(database, jobs),
    deletions: deletionStore(database),
    respondAfterMs: (deadlineMs * 2) / 3,
  };

  api.mount(myEndpoints.readOverview, ({ user, now }) => readOverview(user, now));

  api.mount(myEndpoints.exportData, ({ user, now, request, response }) => {
    const file = { name: `tasklane-export-${calendarDate(now)}.json`, type: JSON_FILE };
    return sendDownload(request, response, file, exportData(database, user, now));
  });

  api.mount(myEndpoints.tasksAsCsv, ({ user, now, request, response }) => {
    const file = { name: `tasklane-tasks-${calendarDate(now)}.csv`, type: CSV };
    return sendDownload(request, response, file, tasksAsCsv(database, user, now));
  });

  api.mount(myEndpoints.bidsAsCsv, ({ user, now, request, response }) => {
    const file = { name: `tasklane-bids-${calendarDate(now)}.csv`, type: CSV };
    return sendDownload(request, response, file, bidsAsCsv(database, user, now));
  });

  api.mount(myEndpoints.deleteAccount, ({ query, user, now }) =>
    deleteAccount(erasure, user, { now, keepsTasks: query.tasks === "keep" }),
  );
}
