import { bidTriageSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import { refetchActive, servicesOf } from "../../../lib/api-context.tsx";
import { type FormError, invalidForm, toFormError } from "../../../lib/forms.ts";
import { receivedBidsKey } from "../bid-queries.ts";

/** Sort order and filter of received bids; an empty `state` means bids of every state. */
export type ReceivedBidsView = { sort: string; state: string };

export type TriageResult = { ok: true; bidId: string; outcome: string } | FormError;

/**
 * Shortlists, declines or awards the bid `bidId` of the submitted form, or undoes the first two (`placed`). An award
 * names the `updatedAt` of the bid that was seen; if the bid has changed since, it fails and the bids are refetched.
 */
export async function action(args: ActionFunctionArgs): Promise<TriageResult> {
  const services = servicesOf(args);
  const { api, queryClient } = services;
  const form = await args.request.formData();
  const id = args.params["id"] ?? "";
  const bidId = String(form.get("bidId") ?? "");
  const state = String(form.get("state") ?? "");
  try {
    if (state === "awarded") {
      const body = { bidId, updatedAt: String(form.get("updatedAt") ?? "") };
      await api.call("POST /tasks/:id/award", { params: { id }, body, isRepeatable: true });
      return { ok: true, bidId, outcome: state };
    }
    const parsed = bidTriageSchema.safeParse({ state });
    if (!parsed.success) return invalidForm(parsed.error.issues);
    const params = { id, bidId };
    await api.call("PATCH /tasks/:id/bids/:bidId", { params, body: parsed.data, isRepeatable: true });
    // The row shows the chosen state until the refetched list arrives.
    await refetchActive(services, receivedBidsKey(id));
    return { ok: true, bidId, outcome: state };
  } catch (error) {
    const formError = toFormError(error);
    if (formError.code === "changed-meanwhile")
      void queryClient.invalidateQueries({ queryKey: receivedBidsKey(id) });
    return formError;
  }
}
