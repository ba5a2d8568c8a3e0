import { useQueryClient } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { useApi } from "../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { type Submission, useSubmission } from "../../lib/submission.ts";
import { bidFormSchema, screenedBidFormSchema } from "./bid-queries.ts";

/**
 * The result of a change to the viewer's bid. `placed` is the one-click bid, `offered` a first bid from the form;
 * `repeated` means that there already was a bid, which is unchanged.
 */
type BidResult = FormResult<{ outcome: "placed" | "offered" | "repeated" | "changed" | "withdrawn" }>;

/** `place` bids the fixed price of this version of the task; `form` offers or changes amount, days and message. */
type BidInput = { place: Task["version"] } | { form: FormData; isFirst: boolean } | "withdraw";
export type BidSubmission = Submission<BidInput, BidResult>;

/** Places, changes and withdraws the viewer's bid on a task. */
export function useBidSubmission(id: string): BidSubmission {
  const api = useApi();
  const queryClient = useQueryClient();
  const params = { id };
  const send = async (input: BidInput): Promise<BidResult> => {
    if (input === "withdraw") return withdraw();
    if ("form" in input)
      return submitForm(
        input.form,
        input.form.get("question") ? screenedBidFormSchema : bidFormSchema,
        async ({ files, ...terms }) => {
          const body = input.form.has("files") ? { ...terms, files } : terms;
          await api.call("PATCH /tasks/:id/bid", { params, body, isRepeatable: true });
          return { outcome: input.isFirst ? "offered" : "changed" } as const;
        },
      );
    try {
      // Not repeatable: it would be refused as the second one.
      const { data } = await api.call("PATCH /tasks/:id/bid", { params, version: input.place });
      return { ok: true, outcome: data.modifiedCount > 0 ? "placed" : "repeated" };
    } catch (error) {
      return toFormError(error);
    }
  };
  const withdraw = async (): Promise<BidResult> => {
    try {
      await api.call("DELETE /tasks/:id/bid", { params, isRepeatable: true });
    } catch (error) {
      // A hidden or deleted task is found only by those with a bid: an attempt whose response was lost has withdrawn it.
      if (!(error instanceof ApiProblem && error.code === "task-not-found")) return toFormError(error);
    }
    return { ok: true, outcome: "withdrawn" };
  };
  return useSubmission(async (input: BidInput) => {
    const result = await send(input);
    // It may be about a screening question that this page has not loaded yet.
    if (!result.ok && "answer" in result.fieldErrors)
      await queryClient.invalidateQueries({ queryKey: ["tasks", "one", id] });
    return result;
  });
}
