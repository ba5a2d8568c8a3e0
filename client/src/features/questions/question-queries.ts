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

export const answeredQuestionsKey = (taskId: string) => [...questionsKey(taskId), "answered"];

/** The newest answered questions, for the server-rendered page. */
export function answeredQuestionsQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: answeredQuestionsKey(id),
    queryFn: async () =>
      (await api.call("GET /tasks/:id/questions", { params: { id }, asVisitor: true })).data,
    // Signed-in users may see more, so they fetch the questions again.
    meta: { onlyRendered: true },
  });
}
