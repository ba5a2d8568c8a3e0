import { type Request, type RequestHandler, Router } from "express";
import {
  calendarDate,
  draftSchemaOn,
  stateChangeSchema,
  taskDraftSchema,
  taskQuerySchema,
} from "../../contract/index.ts";
import { requireUser, userOf, visitorOf } from "../../http/authenticate.ts";
import { ifMatch } from "../../http/if-match.ts";
import { jsonBody } from "../../http/json-body.ts";
import { parseInput } from "../../http/parse-input.ts";
import { pathId } from "../../http/path-id.ts";
import { renderJson } from "../../http/rendered-json.ts";
import type { AnswerRead } from "../../http/shared-answers.ts";
import { streamJsonArray } from "../../http/stream-json.ts";
import type { AddressStore } from "./address-store.ts";
import { changeState } from "./change-state.ts";
import { deleteTask } from "./delete-task.ts";
import { listAll, listFeaturedTasks, listPage, type TaskPage } from "./list-tasks.ts";
import type { OwnTaskStore } from "./own-task-store.ts";
import { postTask } from "./post-task.ts";
import { type PresentBid, readTask } from "./read-task.ts";
import type { TaskStore } from "./task-store.ts";
import { updateTask } from "./update-task.ts";

type Deps = {
  store: TaskStore;
  own: OwnTaskStore;
  addresses: AddressStore;
  answer: AnswerRead;
  /** How the viewer's own bid looks: the feature of bids knows. */
  presentBid: PresentBid;
  now: () => Date;
};

/** The routes of tasks (SPEC section 7). Public to read; every write needs a signed-in user. */
export function taskRoutes({ store, own, addresses, answer, presentBid, now }: Deps): RequestHandler {
  const router = Router();

  router.get("/tasks/featuretasks", async (request, response) => {
    const today = now();
    // Tomorrow other tasks are open.
    await answer(request, response, `featured ${calendarDate(today)}`, async () =>
      renderJson(await listFeaturedTasks(store, visitorOf(response), today)),
    );
  });

  router.get("/tasks", async (request, response) => {
    const query = parseInput(taskQuerySchema, request.query, "query");
    const visitor = visitorOf(response);
    if (query.limit === undefined) {
      await streamJsonArray(request, response, await listAll(store, query, visitor, now()));
      return;
    }
    const limit = Number(query.limit);
    // The address as it was sent: it also stands in the link to the next page.
    await answer(request, response, request.originalUrl, async () => {
      const page = await listPage(store, query, limit, visitor, now());
      return renderJson(page.tasks, pageHeaders(request, page));
    });
  });

  router.get("/tasks/:id", async (request, response) => {
    const id = pathId(request);
    await answer(request, response, `task ${id}`, async () => {
      const task = await readTask({ store, addresses, presentBid }, id, visitorOf(response), now());
      return renderJson(task, {}, task.version);
    });
  });

  router.post("/tasks", requireUser, jsonBody, async (request, response) => {
    const at = now();
    const draft = parseInput(draftSchemaOn(calendarDate(at)), request.body, "body");
    const answer = await postTask(store, draft, userOf(response), at);
    response.status(201).location(`/tasks/${answer.insertedId}`).json(answer);
  });

  router.put("/tasks/:id", requireUser, jsonBody, async (request, response) => {
    const id = pathId(request);
    const draft = parseInput(taskDraftSchema, request.body, "body");
    response.json(
      await updateTask({ store, own }, id, draft, userOf(response), {
        now: now(),
        versions: ifMatch(request),
      }),
    );
  });

  router.patch("/tasks/:id/state", requireUser, jsonBody, async (request, response) => {
    const id = pathId(request);
    const change = parseInput(stateChangeSchema, request.body, "body");
    response.json(
      await changeState({ store, own }, id, change, userOf(response), {
        now: now(),
        versions: ifMatch(request),
      }),
    );
  });

  router.delete("/tasks/:id", requireUser, async (request, response) => {
    response.json(await deleteTask({ store, own }, pathId(request), userOf(response), now()));
  });

  return router;
}

function pageHeaders(request: Request, { next, total }: TaskPage): Record<string, string> {
  return {
    "X-Total-Count": String(total.count),
    "X-Total-Count-Is": total.is,
    ...(next !== undefined && { Link: `<${nextPage(request, next)}>; rel="next"` }),
  };
}

/** The same list after the cursor, relative to this server (RFC 8288): no Host header gets into an answer. */
function nextPage(request: Request, cursor: string): string {
  const query = new URLSearchParams(request.originalUrl.split("?", 2)[1]);
  query.set("cursor", cursor);
  return `/tasks?${query}`;
}
