import { updateAnswerSchema } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";

/** PATCH /tasks/:id/bid. Resolves to true if the bid is new, false if this freelancer had already bid. */
export async function placeBid(api: Api, taskId: string): Promise<boolean> {
  const { data } = await api.call(`/tasks/${encodeURIComponent(taskId)}/bid`, {
    method: "PATCH",
    answer: updateAnswerSchema,
    auth: "required",
  });
  return data.modifiedCount > 0;
}
