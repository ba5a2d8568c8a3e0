/** The least that database, driver and Node cost: the product's queries and fields on bare `node:http`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Document, MongoClient, ObjectId } from "mongodb";
import { calendarDate, type TaskFilters } from "../../../src/contract/index.ts";
import { SAFE_OPTIONS } from "../../../src/db/client.ts";
import { taskRow } from "../../../src/db/documents/tasks.ts";
import { projectionOf } from "../../../src/db/mongo-schema.ts";
import { searchGrams } from "../../../src/db/task-search.ts";
import {
  type ListPlan,
  planFeatured,
  planList,
  selectTasks,
} from "../../../src/features/tasks/task-list-plan.ts";
import { SEARCHES } from "../titles.ts";
import { listenAndReport, PAGE, setup } from "./child.ts";
import { floorActs } from "./floor-acts.ts";

const client = await MongoClient.connect(setup.uri, { ...SAFE_OPTIONS, maxPoolSize: 50 });
const db = client.db(setup.dbName);
const tasks = db.collection("tasks");

const projection = projectionOf(taskRow);
const today = calendarDate(new Date());
const select = (filters: TaskFilters) => selectTasks(filters, { ownerId: undefined, today });
const first = planList({ selection: select({}), order: "newest" }, {});
const lists: Record<string, ListPlan> = {
  "/first": first,
  "/category": planList({ selection: select({ category: "Design" }), order: "asc" }, {}),
  "/budgets": planList({ selection: select({ minBudget: "500", maxBudget: "900" }), order: "newest" }, {}),
  "/deep": planList({ selection: select({}), order: "newest", after: setup.deepPlace }, {}),
  ...Object.fromEntries(
    Object.entries(SEARCHES).map(([name, search]) => [
      `/search/${name}`,
      planList({ selection: select({ search }), order: "asc" }, { gram: searchGrams(search)[0] }),
    ]),
  ),
};

const acts = floorActs(client, setup.dbName);

async function readPage(plan: ListPlan, limit: number): Promise<Document[]> {
  const [range] = plan.ranges;
  if (!range) return [];
  return tasks
    .find(range.filter as Document, { projection, sort: range.sort, limit, hint: plan.index })
    .toArray();
}

/** The same read as one plain command without the driver's cursor, as the product does it. */
async function readPageByCommand(plan: ListPlan): Promise<Document[]> {
  const options = { projection, limit: PAGE, batchSize: PAGE, singleBatch: true };
  const { cursor } = await db.command({ find: "tasks", ...plan.ranges[0], ...options, hint: plan.index });
  return cursor.firstBatch as Document[];
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? "/";
  const list = lists[url];
  const [, name = "", id = ""] = url.split("/");
  const act = acts[name];
  if (act) send(response, await act(id, await bodyOf(request)));
  else if (list) send(response, await readPage(list, PAGE));
  else if (url === "/first-by-command") send(response, await readPageByCommand(first));
  else if (url === "/featured") send(response, await readPage(planFeatured(today), 6));
  else if (url === "/all") await sendAll(response);
  else if (request.method === "PATCH") {
    const update = { $inc: { bidsCount: 1 } };
    send(response, await tasks.updateOne({ _id: new ObjectId(url.slice("/bid/".length)) }, update));
  } else
    send(response, await tasks.findOne({ _id: new ObjectId(url.slice("/task/".length)) }, { projection }));
}

async function bodyOf(request: IncomingMessage) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text === "" ? {} : JSON.parse(text);
}

function send(response: ServerResponse, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
  response.end(body);
}

async function sendAll(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "Content-Type": "application/json" });
  let separator = "[";
  const cursor = tasks.find(
    {},
    { projection, sort: { createdAt: -1, _id: -1 }, hint: "newest", batchSize: 1_000 },
  );
  for await (const task of cursor) {
    const roomLeft = response.write(separator + JSON.stringify(task));
    separator = ",";
    if (!roomLeft) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end("]");
}

listenAndReport((request, response) => {
  respond(request, response).catch((error: unknown) => {
    process.stderr.write(`floor: ${String(error)}\n`);
    response.destroy();
  });
});
