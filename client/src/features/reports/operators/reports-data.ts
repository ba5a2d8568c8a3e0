import type { Report } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { type FormError, toFormError } from "../../../lib/forms.ts";
import { readMe } from "../../../lib/me-api.ts";
import { type Page, readShown, shownIn } from "../../../lib/pages.ts";
import { listReports, setHidden, settleReport } from "../reports-api.ts";

export const STEP = 20;

/** The reports, open ones first, as many as the address says; null for anybody but operators. */
export type ReportsData = (Page<Report> & { shown: number }) | null;

/** What became of settling a report or hiding a task. */
export type OperatorResult = { ok: true } | FormError;

/** Loads the reports. */
export async function loader(args: LoaderFunctionArgs): Promise<ReportsData> {
  const api = apiOf(args);
  const { signal, url } = args.request;
  const shown = shownIn(new URL(url).searchParams, STEP);
  if (!(await readMe(api, signal)).isOperator) return null;
  const page = await readShown(shown, (limit, cursor) => listReports(api, { limit, cursor, signal }));
  return { ...page, shown };
}

/** `settled` of the report in the form, or `hidden` of the task in it. */
export async function action(args: ActionFunctionArgs): Promise<OperatorResult> {
  const form = await args.request.formData();
  const api = apiOf(args);
  const task = form.get("task");
  try {
    if (task === null) await settleReport(api, String(form.get("report")), form.get("settled") === "true");
    else await setHidden(api, String(task), form.get("hidden") === "true");
    return { ok: true };
  } catch (error) {
    return toFormError(error);
  }
}
