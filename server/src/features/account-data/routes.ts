import type { Request, Response } from "express";
import type { User } from "../../auth/token-verifier.ts";
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

const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
} as const;

/** The caller's own data: dashboard overview, JSON and CSV exports, account deletion. */
export function accountRoutes(api: Api, { database, deadlineMs }: Context): void {
  const readOverview = overviewReader(database);
  const erasure = {
    steps: eraseSteps(database),
    deletions: deletionStore(database),
    respondAfterMs: (deadlineMs * 2) / 3,
  };

  const download =
    (name: string, format: keyof typeof TYPES, read: typeof tasksAsCsv) =>
    ({ user, now, request, response }: { user: User; now: Date; request: Request; response: Response }) => {
      const file = { name: `tasklane-${name}-${calendarDate(now)}.${format}`, type: TYPES[format] };
      return sendDownload(request, response, file, read(database, user, now));
    };

  api.mount(myEndpoints, {
    readOverview: ({ user, now }) => readOverview(user, now),
    exportData: download("export", "json", exportData),
    tasksAsCsv: download("tasks", "csv", tasksAsCsv),
    bidsAsCsv: download("bids", "csv", bidsAsCsv),
    deleteAccount: ({ query, user, now }) =>
      deleteAccount(erasure, user, { now, keepsTasks: query.tasks === "keep" }),
  });
}
