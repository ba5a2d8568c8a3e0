import type { ReportReason } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import type { Api } from "../../../lib/api.ts";
import { apiOf } from "../../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../../lib/forms.ts";
import { notify } from "../../../ui/notify.tsx";
import {
  hideFormSchema,
  REASON_OPTIONS,
  type ReportFilters,
  settleReport,
  setVisibility,
} from "../report-queries.ts";

/** The states that the page can show; `all` stands for no filter. */
export const STATES = { open: "Open", resolved: "Resolved", all: "All" } as const;

/** Which reports the address names: open ones, if it says nothing else. */
export function readFilters(params: URLSearchParams): ReportFilters {
  const state = params.get("state");
  const reason = REASON_OPTIONS.find(([name]) => name === params.get("reason"))?.[0];
  return {
    ...(state !== "all" && { state: state === "resolved" ? "resolved" : "open" }),
    ...(reason && { reason: reason as ReportReason }),
  };
}

/** What an operator does: hides the `task` of the form or the `question` on it, restores it, or settles the `report`. */
export async function action(args: ActionFunctionArgs): Promise<FormResult> {
  const form = await args.request.formData();
  const api = apiOf(args);
  const question = form.get("question");
  const place = { task: String(form.get("task")), ...(question && { question: String(question) }) };
  if (form.get("act") === "hide") {
    return submitForm(form, hideFormSchema, async (why) => {
      await setVisibility(api, place, { hidden: true, ...why });
      return {};
    });
  }
  try {
    if (form.get("act") === "restore") await setVisibility(api, place, { hidden: false });
    else await settle(api, form);
    return { ok: true };
  } catch (error) {
    return toFormError(error);
  }
}

async function settle(api: Api, form: FormData): Promise<void> {
  const settled = form.get("act") === "resolve";
  await settleReport(api, String(form.get("report")), settled);
  // It leaves the list of those in its former state.
  notify.success(settled ? "Report resolved." : "Report open again.", { topic: "report" });
}
