import { operatorEndpoints } from "../../contract/endpoints/operators.ts";
import { reportEndpoints } from "../../contract/endpoints/people.ts";
import { taskEndpoints } from "../../contract/endpoints/tasks.ts";
import type { Api } from "../../http/mount.ts";
import { updateResponse } from "../../http/problem.ts";
import type { OperatorStore } from "./operator-store.ts";
import { listQueue, readLog } from "./operators.ts";
import type { ReportStore } from "./report-store.ts";
import { listReports, report } from "./reports.ts";

type Deps = { store: ReportStore; operators: OperatorStore };

/** Lets signed-in people report, and operators settle reports and queue items, hide tasks and read their log. */
export function reportsFeature(api: Api, { store, operators }: Deps): void {
  api.mount(reportEndpoints.report, async ({ body, user, now, response }) => {
    const { inserted, isNew } = await report(store, body, user, now);
    if (!isNew) response.status(200);
    return inserted;
  });

  api.mount(reportEndpoints.listReports, (call) => listReports(store, call));

  api.mount(reportEndpoints.settleReport, async ({ params, body, user, now }) =>
    updateResponse(await store.settle(params.id, body.settled, user, now)),
  );

  api.mount(taskEndpoints.setTaskVisibility, async ({ params, body, user, now }) =>
    updateResponse(await store.setHidden(params.id, body, user, now)),
  );

  api.mount(operatorEndpoints.listQueue, (call) => listQueue({ store, operators }, call));

  api.mount(operatorEndpoints.settleQueueItem, async ({ params, body, user, now }) =>
    updateResponse(await operators.settle(params.id, body.settled, user, now)),
  );

  api.mount(operatorEndpoints.listJobs, ({ now }) => operators.jobs(now));

  api.mount(operatorEndpoints.retryJobs, async ({ body, user, now }) =>
    updateResponse(await operators.retryJobs(body.kind, user, now)),
  );

  api.mount(operatorEndpoints.readOperatorLog, (call) => readLog({ store, operators }, call));
}
