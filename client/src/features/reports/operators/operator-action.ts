import type { SuspensionChange, Visibility } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../../lib/forms.ts";
import { notify } from "../../../ui/notify.tsx";
import { noteFormSchema, reasonFormSchema } from "./operator-queries.ts";

/** Runs the form's `act` on the task, person, report or queue entry `id`, or on the `question` of that task. */
export async function action(args: ActionFunctionArgs): Promise<FormResult> {
  const form = await args.request.formData();
  const api = apiOf(args);
  const id = String(form.get("id"));
  const questionId = form.get("question")?.toString();
  const setVisibility = (body: Visibility) =>
    questionId
      ? api.call("PATCH /tasks/:id/questions/:questionId/visibility", {
          params: { id, questionId },
          body,
          isRepeatable: true,
        })
      : api.call("PATCH /tasks/:id/visibility", { params: { id }, body, isRepeatable: true });
  const setSuspension = (body: SuspensionChange) =>
    api.call("PATCH /profiles/:id/suspension", { params: { id }, body, isRepeatable: true });
  switch (form.get("act")) {
    case "hide":
      return submitForm(form, reasonFormSchema, (why) => setVisibility({ hidden: true, ...why }));
    case "restore":
      return submitForm(form, noteFormSchema, (why) => setVisibility({ hidden: false, ...why }));
    case "suspend":
      return submitForm(form, reasonFormSchema, async (why) => {
        // An empty message is left out.
        await setSuspension({
          suspended: true,
          reason: why.reason,
          ...(why.text && { text: why.text }),
        });
        notify.success("Account suspended.", { topic: "operator" });
        return {};
      });
    case "lift":
      return submitForm(form, noteFormSchema, async (why) => {
        await setSuspension({ suspended: false, ...why });
        notify.success("Suspension lifted.", { topic: "operator" });
        return {};
      });
  }
  const settled = form.get("settled") === "true";
  const isReport = form.get("act") === "settle-report";
  try {
    const options = { params: { id }, body: { settled }, isRepeatable: true };
    await (isReport
      ? api.call("PATCH /reports/:id", options)
      : api.call("PATCH /operators/queue/:id", options));
  } catch (error) {
    return toFormError(error);
  }
  // A toast, because the card may have left the filtered list.
  const messages = isReport ? SUCCESS_MESSAGES.report : SUCCESS_MESSAGES.item;
  notify.success(messages[`${settled}`], { topic: "operator" });
  return { ok: true };
}

const SUCCESS_MESSAGES = {
  report: { true: "Report resolved.", false: "Report reopened." },
  item: { true: "Marked as checked.", false: "Back in the queue." },
} as const;
