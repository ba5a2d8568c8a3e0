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

/** One link per line; `https://` is added where the scheme is missing. */
function parseLinks(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).map((line) => (/^[a-z][a-z\d+.-]*:/i.test(line) ? line : `https://${line}`));
}

/** The fields of the delivery form; its links are one text, one per line. */
export const deliveryFormSchema = z.object({
  note: deliveryDraftSchema.shape.note,
  links: z.pipe(z.pipe(z.string(), z.transform(parseLinks)), deliveryDraftSchema.shape.links),
});

/** GET /tasks/:id/timeline, cached per version of the task, as every step changes the version. */
function timelineQuery(api: Api, { _id, version }: Task) {
  return queryOptions({
    queryKey: ["tasks", "timeline", _id, version],
    queryFn: async () =>
      (await api.call(`${pathOf(_id)}/timeline`, { schema: timelineSchema, auth: "required" })).data,
  });
}

/** The task's timeline; the previous one while it reloads. Not fetched for a task that was never awarded. */
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

/** POST /tasks/:id/deliveries. */
export function deliverWork(api: Api, taskId: string, draft: DeliveryDraft, idempotencyKey: string) {
  return post(api, `${pathOf(taskId)}/deliveries`, draft, idempotencyKey);
}

/** POST /tasks/:id/changes: asks for changes to delivered work. */
export function requestChanges(api: Api, taskId: string, request: ChangeRequest, idempotencyKey: string) {
  return post(api, `${pathOf(taskId)}/changes`, request, idempotencyKey);
}

/** POST /tasks/:id/completion: completes delivered work that the client has not responded to. */
export function completeUnanswered(api: Api, taskId: string) {
  return post(api, `${pathOf(taskId)}/completion`);
}
