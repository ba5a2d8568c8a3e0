import { reportEndpoints } from "../../contract/endpoints/people.ts";
import { taskEndpoints } from "../../contract/endpoints/tasks.ts";
import type { Api } from "../../http/mount.ts";
import { setPageHeaders } from "../../http/pagination.ts";
import { updateResponse } from "../../http/problem-error.ts";
import type { ReportStore } from "./report-store.ts";
import { listReports, report } from "./reports.ts";

/** Anybody signed in reports; operators read reports, settle them, and hide tasks. */
export function reportsFeature(api: Api, store: ReportStore): void {
  api.mount(reportEndpoints.report, async ({ body, user, now, response }) => {
    const { inserted, isNew } = await report(store, body, user, now);
    if (!isNew) response.status(200);
    return inserted;
  });

  api.mount(reportEndpoints.listReports, async ({ query, request, response }) => {
    const page = await listReports(store, query);
    setPageHeaders(request, response, page.next, { "X-Unsettled-Count": page.unsettled });
    return page.reports;
  });

  api.mount(reportEndpoints.settleReport, async ({ params, body }) =>
    updateResponse(await store.settle(params.id, body.settled)),
  );

  api.mount(taskEndpoints.setTaskVisibility, async ({ params, body, now }) =>
    updateResponse(await store.setHidden(params.id, body, now)),
  );
}
