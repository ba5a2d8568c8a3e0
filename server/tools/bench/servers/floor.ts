/** The least that database, driver and Node cost: the product's queries and writes on bare `node:http`, without its rules. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { MongoClient, ObjectId } from "mongodb";
import { calendarDate, type TaskDraft } from "../../../src/contract/index.ts";
import { SAFE_OPTIONS } from "../../../src/db/client.ts";
import { taskRow } from "../../../src/db/documents/tasks.ts";
import { projectionOf } from "../../../src/db/mongo-schema.ts";
import { searchGrams } from "../../../src/domain/task-search.ts";
import { planList, selectTasks } from "../../../src/features/tasks/task-list-plan.ts";
import { aTaskDoc } from "../../../test/builders.ts";

const client = await MongoClient.connect(process.env["MONGODB_URI"] ?? "", {
  ...SAFE_OPTIONS,
  maxPoolSize: 50,
});
const db = client.db();
const tasks = db.collection("tasks");
const projection = projectionOf(taskRow);
const today = calendarDate(new Date());

function readPage(query: URLSearchParams) {
  const search = query.get("search") ?? undefined;
  const selection = selectTasks({ ...(search && { search }) }, { ownerId: undefined, today });
  const gram = search === undefined ? undefined : searchGrams(search)[0];
  const plan = planList({ selection, order: search ? "asc" : "newest" }, { ...(gram && { gram }) });
  const [range] = plan.ranges;
  return tasks
    .find(range?.filter as object, {
      projection,
      ...(range?.sort && { sort: range.sort }),
      limit: Number(query.get("limit")),
      hint: plan.index,
    })
    .toArray();
}

/** The parts of a draft that the benchmark posts. */
type Posted = Required<Pick<TaskDraft, "title" | "description">>;

const sendMessage = (id: string, text: string) =>
  client.withSession((session) =>
    session.withTransaction(async () => {
      const [_id, now] = [new ObjectId(id), new Date()];
      const conversation = await db
        .collection("conversations")
        .findOneAndUpdate(
          { _id },
          { $inc: { count: 1, "seen.client": 1 }, $set: { lastAt: now } },
          { session, returnDocument: "after" },
        );
      const message = {
        conversationId: _id,
        number: conversation?.["count"],
        by: "client",
        text,
        createdAt: now,
      };
      await db.collection("messages").insertOne(message, { session });
    }),
  );

/** The same addresses as the product's. */
async function respond(method: string, url: URL, body: () => Promise<unknown>): Promise<unknown> {
  const [, , id = "", part = ""] = url.pathname.split("/");
  if (url.pathname.startsWith("/me/conversations/"))
    return sendMessage(part, ((await body()) as { text: string }).text);
  if (method === "POST")
    return tasks.insertOne(aTaskDoc({ ...((await body()) as Posted), ownerId: "person-0" }));
  if (method === "PATCH") return tasks.updateOne({ _id: new ObjectId(id) }, { $inc: { bidsCount: 1 } });
  if (id) return tasks.findOne({ _id: new ObjectId(id) }, { projection });
  return readPage(url.searchParams);
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", "http://floor");
  const found = await respond(request.method ?? "GET", url, () => json(request));
  const bytes = Buffer.from(JSON.stringify(found ?? {}));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": bytes.length });
  response.end(bytes);
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
