import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../lib/api.ts";
import { listQuery } from "../../lib/pages.ts";

/** How many questions each "Load more" fetches. */
const PAGE_SIZE = 10;

/** The query key of everything cached about a task's questions. */
export const questionsKey = (taskId: string) => ["questions", taskId];

/** The questions that the viewer may see, unanswered ones first. */
export function questionsQuery(api: Api, id: string) {
  return listQuery(questionsKey(id), PAGE_SIZE, (query) =>
    api.call("GET /tasks/:id/questions", { params: { id }, query }),
  );
}

/** The newest answered questions, for visitors. */
export function answeredQuestionsQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: [...questionsKey(id), "answered"],
    queryFn: async () =>
      (await api.call("GET /tasks/:id/questions", { params: { id }, asVisitor: true })).data,
  });
}
