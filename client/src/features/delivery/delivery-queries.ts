import { queryOptions, useQuery } from "@tanstack/react-query";
import {
  type ChangeRequest,
  type DeliveryDraft,
  deliveryDraftSchema,
  type Task,
  timelineSchema,
  updateResponseSchema,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";
import { useApi } from "../../lib/api-context.tsx";
import { stateNow } from "../../lib/state-now.ts";

const pathOf = (taskId: string) => `/tasks/${encodeURIComponent(taskId)}`;

/** One link in each line. Whoever leaves out https:// means it. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).map((line) => (/^[a-z][a-z\d+.-]*:/i.test(line) ? line : `https://${line}`));
}

/** What the form of a delivery asks for: its links are typed one below the other. */
export const deliveryFormSchema = z.object({
  note: deliveryDraftSchema.shape.note,
  links: z.pipe(z.pipe(z.string(), z.transform(linesOf)), deliveryDraftSchema.shape.links),
});

/** GET /tasks/:id/timeline of this version of the task, as the signed-in person: every step makes another one. */
function timelineQuery(api: Api, { _id, version }: Task) {
  return queryOptions({
    queryKey: ["tasks", "timeline", _id, version],
    queryFn: async () =>
      (await api.call(`${pathOf(_id)}/timeline`, { schema: timelineSchema, auth: "required" })).data,
  });
}

/** The task's timeline, the one before while a newer one is read. A task that nobody was ever hired for has none to read. */
export function useTimeline(task: Task) {
  const state = stateNow(task);
  const hasSteps = task.wasAwarded || (state !== "open" && state !== "expired");
  return useQuery({
    ...timelineQuery(useApi(), task),
    enabled: hasSteps === true,
    placeholderData: (previous) => previous,
  });
}

async function post(api: Api, path: string, body?: object, idempotencyKey?: string): Promise<void> {
  await api.call(path, {
    method: "POST",
    ...(idempotencyKey && { headers: { "Idempotency-Key": idempotencyKey } }),
    ...(body && { body }),
    schema: updateResponseSchema,
    auth: "required",
  });
}

/** POST /tasks/:id/deliveries: hands in the work. */
export function deliverWork(api: Api, taskId: string, draft: DeliveryDraft, idempotencyKey: string) {
  return post(api, `${pathOf(taskId)}/deliveries`, draft, idempotencyKey);
}

/** POST /tasks/:id/changes: sends delivered work back. */
export function requestChanges(api: Api, taskId: string, request: ChangeRequest, idempotencyKey: string) {
  return post(api, `${pathOf(taskId)}/changes`, request, idempotencyKey);
}

/** POST /tasks/:id/completion: completes delivered work that the client has not reacted to. */
export function completeUnanswered(api: Api, taskId: string) {
  return post(api, `${pathOf(taskId)}/completion`);
}
