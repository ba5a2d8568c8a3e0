import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.tsx";
import { type FormError, toFormError } from "../../../lib/forms.ts";
import { setHidden, settleReport } from "../report-queries.ts";

/** What became of settling a report or hiding a task. */
export type OperatorResult = { ok: true } | FormError;

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
