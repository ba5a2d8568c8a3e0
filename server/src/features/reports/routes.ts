import type { Context } from "../../context.ts";
import { operatorEndpoints } from "../../contract/operator.ts";
import { reportEndpoints } from "../../contract/report.ts";
import { taskEndpoints } from "../../contract/task.ts";
import type { Api } from "../../http/mount.ts";
import { updated } from "../../http/problem.ts";
import { operatorStore } from "./operator-store.ts";
import { listQueue, readLog } from "./operators.ts";
import { listReports, report } from "./reports.ts";
import { reportStore } from "./store.ts";

/** Lets signed-in people report, and operators settle reports and queue items, hide tasks and read their log. */
export function reportRoutes(api: Api, { database, jobs }: Context): void {
  const store = reportStore(database, jobs);
  const operators = operatorStore(database);

  api.mount(reportEndpoints.report, async ({ body, user, now, response }) => {
    const { inserted, isNew } = await report(store, body, user, now);
    if (!isNew) response.status(200);
    return inserted;
  });

  api.mount(reportEndpoints.listReports, (call) => listReports(store, call));

  api.mount(reportEndpoints.settleReport, async ({ params, body, user, now }) =>
    updated(await store.settle(params.id, body.settled, user, now)),
  );

  api.mount(taskEndpoints.setTaskVisibility, async ({ params, body, user, now }) =>
    updated(await store.setHidden(params.id, body, user, now)),
  );

  api.mount(operatorEndpoints.listQueue, (call) => listQueue({ store, operators }, call));

  api.mount(operatorEndpoints.settleQueueItem, async ({ params, body, user, now }) =>
    updated(await operators.settle(params.id, body.settled, user, now)),
  );

  api.mount(operatorEndpoints.listJobs, ({ now }) => operators.jobs(now));

  api.mount(operatorEndpoints.retryJobs, async ({ body, user, now }) =>
    updated(await operators.retryJobs(body.kind, user, now)),
  );

  api.mount(operatorEndpoints.readOperatorLog, (call) => readLog({ store, operators }, call));
}
