import { type RequestHandler, Router } from "express";
import { calendarDate } from "../../contract/index.ts";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { sendDownload } from "../../http/download.ts";
import { bidsAsCsv, tasksAsCsv } from "./csv-export.ts";
import { exportData } from "./data-export.ts";
import { type DeletionDeps, deleteAccount } from "./erase-account.ts";
import type { overviewReader } from "./overview.ts";
import type { OwnDataQueries } from "./own-data-queries.ts";

type Deps = {
  readOverview: ReturnType<typeof overviewReader>;
  ownData: OwnDataQueries;
  deletion: DeletionDeps;
  now: () => Date;
};

const CSV = "text/csv; charset=utf-8; header=present";
const JSON_FILE = "application/json; charset=utf-8";

/** What a person can see of, take out of and have erased from the product's data about them. */
export function accountRoutes({ readOverview, ownData, deletion, now }: Deps): RequestHandler {
  const router = Router();
  router.get(["/me/overview", "/me/export", "/me/tasks.csv", "/me/bids.csv"], requireUser);

  router.get("/me/overview", async (_request, response) => {
    response.json(await readOverview(userOf(response), now()));
  });

  router.get("/me/export", async (request, response) => {
    const file = { name: `tasklane-export-${calendarDate(now())}.json`, type: JSON_FILE };
    await sendDownload(request, response, file, exportData(ownData, userOf(response), now()));
  });

  router.get("/me/tasks.csv", async (request, response) => {
    const file = { name: `tasklane-tasks-${calendarDate(now())}.csv`, type: CSV };
    await sendDownload(request, response, file, tasksAsCsv(ownData, userOf(response), now()));
  });

  router.get("/me/bids.csv", async (request, response) => {
    const file = { name: `tasklane-bids-${calendarDate(now())}.csv`, type: CSV };
    await sendDownload(request, response, file, bidsAsCsv(ownData, userOf(response), now()));
  });

  router.delete("/me", requireUser, async (_request, response) => {
    response.json(await deleteAccount(deletion, userOf(response), now()));
  });

  return router;
}
