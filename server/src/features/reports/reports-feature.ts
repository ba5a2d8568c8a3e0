import { operatorEndpoints } from "../../contract/endpoints/operators.ts";
import { reportEndpoints } from "../../contract/endpoints/people.ts";
import { taskEndpoints } from "../../contract/endpoints/tasks.ts";
import type { Api } from "../../http/mount.ts";
import { setPageHeaders } from "../../http/pagination.ts";
import { updateResponse } from "../../http/problem.ts";
import type { OperatorStore } from "./operator-store.ts";
import { listQueue, readLog } from "./operators.ts";
import type { IsSuspended } from "./present-subject.ts";
import type { ReportStore } from "./report-store.ts";
import { listReports, report } from "./reports.ts";

type Deps = { store: ReportStore; operators: OperatorStore; isSuspended: IsSuspended };

/** Lets signed-in people report, and operators settle reports and queue items, hide tasks and read their log. */
export function reportsFeature(api: Api, { store, operators, isSuspended }: Deps): void {
  api.mount(reportEndpoints.report, async ({ body, user, now, response }) => {
    const { inserted, isNew } = await report(store, body, user, now);
    if (!isNew) response.status(200);
    return inserted;
  });

  api.mount(reportEndpoints.listReports, async ({ query, request, response }) => {
    const page = await listReports(store, query, isSuspended);
    setPageHeaders(request, response, page.next, {});
    return page.reports;
  });

  api.mount(reportEndpoints.settleReport, async ({ params, body, user, now }) =>
    updateResponse(await store.settle(params.id, body.settled, user, now)),
  );

  api.mount(taskEndpoints.setTaskVisibility, async ({ params, body, user, now }) =>
    updateResponse(await store.setHidden(params.id, body, user, now)),
  );

  api.mount(operatorEndpoints.listQueue, async ({ query, request, response }) => {
    const page = await listQueue({ store, operators, isSuspended }, query);
    setPageHeaders(request, response, page.next, {});
    return page.items;
  });

  api.mount(operatorEndpoints.settleQueueItem, async ({ params, body, user, now }) =>
    updateResponse(await operators.settle(params.id, body.settled, user, now)),
  );

  api.mount(operatorEndpoints.readOperatorLog, async ({ query, request, response }) => {
    const page = await readLog({ operators, isSuspended }, query);
    setPageHeaders(request, response, page.next, {});
    return page.acts;
  });
}
