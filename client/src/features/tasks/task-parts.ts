import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import type { Endpoints } from "@tasklane/server/contract/endpoints";
import type * as z from "zod/mini";
import { apiOf } from "../../lib/queries.ts";

type Part = "agreement" | "ending" | "files" | "invoices" | "timeline";
type DataOf<P extends Part> = z.output<Endpoints[`GET /tasks/:id/${P}`]["responses"][0]["schema"]>;
type Version = Pick<Task, "_id" | "version">;

/** Prefix of the query keys of a part of a task. */
export const taskPartKey = (part: Part, id: string) => ["tasks", part, id];

/** Something that belongs to a task, cached per version of the task, as every step changes that. */
export function taskPartQuery<P extends Part>(part: P, { _id: id, version }: Version) {
  return queryOptions({
    queryKey: [...taskPartKey(part, id), version],
    queryFn: async (context) => {
      const endpoint: `GET /tasks/:id/${Part}` = `GET /tasks/:id/${part}`;
      return (await apiOf(context).call(endpoint, { params: { id } })).data as DataOf<P>;
    },
  });
}

/** The same for a component; that of the version before while it loads. */
export function useTaskPart<P extends Part>(part: P, task: Version, enabled = true) {
  return useQuery({ ...taskPartQuery(part, task), enabled, placeholderData: keepPreviousData });
}
