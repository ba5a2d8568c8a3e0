import { reportEndpoints } from "../../contract/endpoints/people.ts";
import { taskEndpoints } from "../../contract/endpoints/tasks.ts";
import type { Database } from "../../db/client.ts";
import type { ReadCache } from "../../db/read-cache.ts";
import type { Api } from "../../http/mount.ts";
import { setPageHeaders } from "../../http/pagination.ts";
import { listReports, settleReport } from "./list-reports.ts";
import { reportSomething } from "./report-something.ts";
import { reportStore } from "./report-store.ts";
import { setVisibility } from "./set-visibility.ts";
import { visibilityStore } from "./visibility-store.ts";

const PAGE_SIZE = 20;

/** Anybody signed in reports; operators read reports, settle them, and hide tasks. */
export function reportsFeature(
  api: Api,
  { database, readCache }: { database: Database; readCache: ReadCache },
): void {
  const reports = reportStore(database);
  const visibility = visibilityStore(database, readCache);

  api.mount(reportEndpoints.report, async ({ body, user, now, response }) => {
    const { answer, isNew } = await reportSomething(reports, body, user, now);
    if (!isNew) response.status(200);
    return answer;
  });

  api.mount(reportEndpoints.listReports, async ({ query, request, response }) => {
    const page = await listReports(reports, {
      limit: Number(query.limit ?? PAGE_SIZE),
      cursor: query.cursor,
    });
    setPageHeaders(request, response, page.next, { "X-Unsettled-Count": page.unsettled });
    return page.reports;
  });

  api.mount(reportEndpoints.settleReport, ({ params, body }) =>
    settleReport(reports, params.id, body.settled),
  );

  api.mount(taskEndpoints.setTaskVisibility, ({ params, body, now }) =>
    setVisibility(visibility, params.id, body.hidden, now),
  );
}
