import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../../lib/forms.ts";
import { notify } from "../../../ui/notify.tsx";
import {
  noteFormSchema,
  reasonFormSchema,
  setSuspension,
  settleQueueItem,
  settleReport,
  setVisibility,
} from "./operator-queries.ts";

/** What an operator does, on each of their pages: the form's `act`, to what its `id` names, or to a `question` on that task. */
export async function action(args: ActionFunctionArgs): Promise<FormResult> {
  const form = await args.request.formData();
  const api = apiOf(args);
  const id = String(form.get("id"));
  const question = form.get("question");
  const place = { task: id, ...(question && { question: String(question) }) };
  switch (form.get("act")) {
    case "hide":
      return submitForm(form, reasonFormSchema, async (why) => {
        await setVisibility(api, place, { hidden: true, ...why });
        return {};
      });
    case "restore":
      return submitForm(form, noteFormSchema, async (why) => {
        await setVisibility(api, place, { hidden: false, ...why });
        return {};
      });
    case "suspend":
      return submitForm(form, reasonFormSchema, async (why) => {
        // An empty message is none.
        await setSuspension(api, id, {
          suspended: true,
          reason: why.reason,
          ...(why.text && { text: why.text }),
        });
        notify.success("Account suspended.", { topic: "operator" });
        return {};
      });
    case "lift":
      return submitForm(form, noteFormSchema, async (why) => {
        await setSuspension(api, id, { suspended: false, ...why });
        notify.success("Suspension lifted.", { topic: "operator" });
        return {};
      });
  }
  const settled = form.get("settled") === "true";
  const isReport = form.get("act") === "settle-report";
  try {
    await (isReport ? settleReport : settleQueueItem)(api, id, settled);
  } catch (error) {
    return toFormError(error);
  }
  // It leaves the list of those in its former state.
  notify.success(isReport ? SAID.report[`${settled}`] : SAID.item[`${settled}`], { topic: "operator" });
  return { ok: true };
}

const SAID = {
  report: { true: "Report resolved.", false: "Report open again." },
  item: { true: "Marked as checked.", false: "Back in the queue." },
} as const;
