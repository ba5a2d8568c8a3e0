import { type Request, type RequestHandler, Router } from "express";
import { taskDraftSchema, taskQuerySchema } from "../../contract/index.ts";
import { requireUser, userOf, visitorOf } from "../../http/authenticate.ts";
import { jsonBody } from "../../http/json-body.ts";
import { parseInput } from "../../http/parse-input.ts";
import { pathId } from "../../http/path-id.ts";
import { deleteTask } from "./delete-task.ts";
import { listFeaturedTasks, listTasks } from "./list-tasks.ts";
import { postTask } from "./post-task.ts";
import { readTask } from "./read-task.ts";
import type { TaskStore } from "./task-store.ts";
import { updateTask } from "./update-task.ts";

/** The routes of tasks (SPEC section 7). Public to read; every write needs a signed-in user. */
export function taskRoutes({ store, now }: { store: TaskStore; now: () => Date }): RequestHandler {
  const router = Router();

  router.get("/tasks/featuretasks", async (_request, response) => {
    response.json(await listFeaturedTasks(store, visitorOf(response), now()));
  });

  router.get("/tasks", async (request, response) => {
    const query = parseInput(taskQuerySchema, request.query, "query");
    const { tasks, next, total } = await listTasks(store, query, visitorOf(response));
    if (next !== undefined) response.set("Link", `<${nextPage(request, next)}>; rel="next"`);
    if (total !== undefined) response.set("X-Total-Count", String(total));
    response.json(tasks);
  });

  router.get("/tasks/:id", async (request, response) => {
    response.json(await readTask(store, pathId(request), visitorOf(response)));
  });

  router.post("/tasks", requireUser, jsonBody, async (request, response) => {
    const draft = parseInput(taskDraftSchema, request.body, "body");
    const answer = await postTask(store, draft, userOf(response), now());
    response.status(201).location(`/tasks/${answer.insertedId}`).json(answer);
  });

  router.put("/tasks/:id", requireUser, jsonBody, async (request, response) => {
    const id = pathId(request);
    const draft = parseInput(taskDraftSchema, request.body, "body");
    response.json(await updateTask(store, id, draft, userOf(response), now()));
  });

  router.delete("/tasks/:id", requireUser, async (request, response) => {
    response.json(await deleteTask(store, pathId(request), userOf(response)));
  });

  return router;
}

/** The same list after the cursor, relative to this server (RFC 8288): no Host header gets into an answer. */
function nextPage(request: Request, cursor: string): string {
  const query = new URLSearchParams(request.originalUrl.split("?", 2)[1]);
  query.set("cursor", cursor);
  return `/tasks?${query}`;
}
