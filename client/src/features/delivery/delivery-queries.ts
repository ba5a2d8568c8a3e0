import { queryOptions, useQuery } from "@tanstack/react-query";
import { deliveryDraftSchema, type Task } from "@tasklane/server/contract";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";
import { useApi } from "../../lib/api-context.tsx";
import { stateNow } from "../../lib/state-now.ts";

/** One link per line; `https://` is added where the scheme is missing. */
function parseLinks(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).map((line) => (/^[a-z][a-z\d+.-]*:/i.test(line) ? line : `https://${line}`));
}

/** The fields of the delivery form; its links are one text, one per line. */
export const deliveryFormSchema = z.object({
  note: deliveryDraftSchema.shape.note,
  links: z.pipe(z.pipe(z.string(), z.transform(parseLinks)), deliveryDraftSchema.shape.links),
  files: deliveryDraftSchema.shape.files,
});

/** The timeline, cached per version of the task, as every step changes the version. */
function timelineQuery(api: Api, { _id, version }: Task) {
  return queryOptions({
    queryKey: ["tasks", "timeline", _id, version],
    queryFn: async () => (await api.call("GET /tasks/:id/timeline", { params: { id: _id } })).data,
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
