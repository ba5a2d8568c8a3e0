import { queryOptions } from "@tanstack/react-query";
import type { Agreement, Task } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";
import { ApiProblem } from "../../lib/problem.ts";

/** The agreement, cached per version of the task, as every change raises that; null if the task has none. */
export function agreementQuery(api: Api, { _id: id, version }: Pick<Task, "_id" | "version">) {
  return queryOptions({
    queryKey: ["tasks", "agreement", id, version],
    queryFn: async (): Promise<Agreement | null> => {
      try {
        return (await api.call("GET /tasks/:id/agreement", { params: { id } })).data;
      } catch (error) {
        if (error instanceof ApiProblem && error.code === "no-agreement") return null;
        throw error;
      }
    },
  });
}

/** Whether the other side has proposed a change that the viewer has yet to answer. */
export function isChangeProposed({ agreed, viewer }: Pick<Task, "agreed" | "viewer">): boolean {
  return (
    agreed?.change !== undefined && agreed.change !== (viewer?.role === "client" ? "client" : "freelancer")
  );
}
