import { type RequestHandler, Router } from "express";
import {
  pageQuerySchema,
  reportDraftSchema,
  reportSettlingSchema,
  visibilitySchema,
} from "../../contract/index.ts";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { jsonBody } from "../../http/json-body.ts";
import { linkToNext } from "../../http/pagination.ts";
import { parseInput } from "../../http/parse-input.ts";
import { pathId } from "../../http/path-id.ts";
import { listReports, settleReport } from "./list-reports.ts";
import { reportSomething } from "./report-something.ts";
import type { ReportStore } from "./report-store.ts";
import { requireOperator } from "./require-operator.ts";
import { setVisibility } from "./set-visibility.ts";
import type { VisibilityStore } from "./visibility-store.ts";

type Deps = { reports: ReportStore; visibility: VisibilityStore; now: () => Date };

const PAGE = 20;

/** Anybody signed in reports; operators read reports, settle them, and hide tasks. */
export function reportRoutes({ reports, visibility, now }: Deps): RequestHandler {
  const router = Router();

  router.post("/reports", requireUser, jsonBody, async (request, response) => {
    const draft = parseInput(reportDraftSchema, request.body, "body");
    const { answer, isNew } = await reportSomething(reports, draft, userOf(response), now());
    response.status(isNew ? 201 : 200).json(answer);
  });

  router.get("/reports", requireOperator, async (request, response) => {
    const { limit, cursor } = parseInput(pageQuerySchema, request.query, "query");
    const page = await listReports(reports, { limit: Number(limit ?? PAGE), cursor });
    linkToNext(request, response, page.next);
    response.setHeader("X-Unsettled-Count", page.unsettled).json(page.reports);
  });

  router.patch("/reports/:id", requireOperator, jsonBody, async (request, response) => {
    const { settled } = parseInput(reportSettlingSchema, request.body, "body");
    response.json(await settleReport(reports, pathId(request), settled));
  });

  router.patch("/tasks/:id/visibility", requireOperator, jsonBody, async (request, response) => {
    const { hidden } = parseInput(visibilitySchema, request.body, "body");
    response.json(await setVisibility(visibility, pathId(request), hidden, now()));
  });

  return router;
}
