/** What database, driver and Node cost without the product: one command for each request, on bare `node:http`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MongoClient, ObjectId } from "mongodb";
import { SAFE_OPTIONS } from "../../../src/db/client.ts";
import type { BareName } from "../rows.ts";

const client = await MongoClient.connect(process.env["MONGODB_URI"] ?? "", {
  ...SAFE_OPTIONS,
  maxPoolSize: 50,
});
const tasks = client.db().collection("tasks");
// Created by concurrent inserts, it hangs MongoDB under Wine.
const inserted = await client.db().createCollection("bench");
// Its search keys are most of a task.
const projection = { searchKeys: 0 };

const RESPONSES: Record<BareName, (id?: string) => Promise<unknown>> = {
  page: () => tasks.find({}, { projection, sort: { _id: -1 }, limit: 24 }).toArray(),
  document: (id) => tasks.findOne({ _id: new ObjectId(id) }, { projection }),
  insert: () => inserted.insertOne({ createdAt: new Date(), text: "x".repeat(500) }),
};

const server = createServer(async ({ url = "" }, response) => {
  const [, name = "", id] = url.split("/");
  const bytes = Buffer.from(JSON.stringify(await RESPONSES[name as BareName](id)));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": bytes.length });
  response.end(bytes);
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
