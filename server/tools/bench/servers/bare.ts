/**
 * The least that database, driver and Node cost: the product's queries and writes on bare `node:http`, command for command,
 * without its rules.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type ClientSession, MongoClient, ObjectId } from "mongodb";
import { calendarDate, type TaskDraft } from "../../../src/contract/index.ts";
import { SAFE_OPTIONS } from "../../../src/db/client.ts";
import { collectionsOf } from "../../../src/db/collections.ts";
import type { MessageDoc } from "../../../src/db/documents/conversations.ts";
import type { NotificationDoc } from "../../../src/db/documents/notifications.ts";
import { SHOWN_TASK as projection } from "../../../src/db/documents/tasks.ts";
import { namesOf, suspendedOf } from "../../../src/domain/people.ts";
import { readAccount } from "../../../src/features/people/admit-person.ts";
import { directoryPlan } from "../../../src/features/reviews/directory.ts";
import { planList, selectTasks } from "../../../src/features/tasks/task-list-plan.ts";
import { aBidDoc, aTaskDoc } from "../../../test/builders.ts";

const client = await MongoClient.connect(process.env["MONGODB_URI"] ?? "", {
  ...SAFE_OPTIONS,
  maxPoolSize: 50,
});
const database = collectionsOf(client.db());
const { tasks, bids, dayCounts, people, notifications, conversations, messages, jobs } = database;
const { agreements, files } = database;
const today = calendarDate(new Date());

async function readPage({ limit, sort: _, ...filters }: Record<string, string>) {
  const { search } = filters;
  const selection = selectTasks(filters, { ownerId: undefined, today });
  const keys = search === undefined ? undefined : selection.keys.map(([likely = ""]) => likely);
  const plan = planList({ selection, order: search ? "asc" : "newest" }, { keys });
  const [range] = plan.ranges;
  const found = await tasks
    .find(range?.filter as object, {
      projection,
      ...(range?.sort && { sort: range.sort }),
      limit: Number(limit) + 1,
      hint: plan.index,
    })
    .toArray();
  await namesOf(
    database,
    found.map(({ ownerId }) => ownerId),
  );
  if (found.length > Number(limit)) await tasks.estimatedDocumentCount();
  return found.slice(0, Number(limit));
}

async function readTask(id: string) {
  const task = await tasks.findOne({ _id: new ObjectId(id) }, { projection });
  if (task) await namesOf(database, [task.ownerId]);
  return task;
}

/** Runs the work in a transaction, after reading who asks for it. */
async function write<T>(uid: string, work: (session: ClientSession) => Promise<T>): Promise<T> {
  await readAccount(database, uid);
  return client.withSession((session) => session.withTransaction(() => work(session)));
}

/** As `enqueue` stores it. */
const enqueue = (_id: string, session: ClientSession) =>
  jobs.updateOne(
    { _id },
    {
      $set: { attempts: 0, dueAt: new Date(8.64e15) },
      $setOnInsert: { kind: "unread-messages", subject: _id },
      $inc: { stored: 1 },
    },
    { session, upsert: true },
  );

/** The parts of a draft that the benchmark posts. */
type Posted = Required<Pick<TaskDraft, "title" | "description">>;

const postTask = (ownerId: string, draft: Posted) =>
  write(ownerId, async (session) => {
    const task = aTaskDoc({ ...draft, ownerId });
    await tasks.insertOne(task, { session });
    await enqueue(`floor ${task._id}`, session);
    await people.updateOne({ _id: ownerId }, { $min: { publicSince: task.createdAt } }, { session });
  });

async function readPeople({ limit, ...filters }: Record<string, string>) {
  const plan = directoryPlan(filters, Number(limit) + 1);
  const found = await people.aggregate<{ _id: string }>(plan).toArray();
  await suspendedOf(
    database,
    found.map(({ _id }) => _id),
  );
  return found;
}

async function readAgreement(uid: string, id: string) {
  await readAccount(database, uid);
  const taskId = new ObjectId(id);
  await tasks.findOne({ _id: taskId });
  return agreements.findOne({ taskId });
}

const placeBid = (bidderId: string, id: string) =>
  write(bidderId, async (session) => {
    const [_id, createdAt] = [new ObjectId(id), new Date()];
    const $inc = { bidsCount: 1, bidsRevision: 1 };
    const task = await tasks.findOneAndUpdate({ _id }, { $inc }, { session });
    if (!task) throw new Error(`there is no task ${id}`);
    await dayCounts.updateOne(
      { _id: bidderId },
      { $inc: { count: 1 }, $setOnInsert: { expireAt: createdAt } },
      { session, upsert: true },
    );
    await bids.insertOne(aBidDoc({ taskId: _id, bidderId }), { session });
    const notification: NotificationDoc = {
      ...{ _id: new ObjectId(), recipientId: task.ownerId, kind: "new-bid", taskId: _id, asClient: true },
      ...{ taskTitle: task.title, actor: bidderId, actorId: bidderId, readAt: null, createdAt },
    };
    const { recipientId, readAt, taskId, kind, actorId } = notification;
    await notifications.find({ recipientId, readAt, taskId, kind, actorId }, { session }).toArray();
    await notifications.insertOne(notification, { session });
  });

const sendMessage = (
  uid: string,
  id: string,
  { text, files: sent = [] }: { text: string; files?: string[] },
) =>
  write(uid, async (session) => {
    const [_id, createdAt] = [new ObjectId(id), new Date()];
    const conversation = await conversations.findOne({ _id }, { session });
    if (!conversation) throw new Error(`there is no conversation ${id}`);
    await tasks.findOne({ _id: conversation.taskId }, { session });
    const number = conversation.count + 1;
    const change = { count: number, "seen.client": number, lastAt: createdAt };
    await conversations.updateOne({ _id }, { $set: change }, { session });
    await enqueue(`floor ${id}`, session);
    const message: MessageDoc = {
      ...{ _id: new ObjectId(), conversationId: _id, number, by: "client", text, createdAt },
    };
    await messages.insertOne(message, { session });
    // They still hang nowhere, so that the product can send them, too.
    for (const file of sent)
      await files.updateOne({ _id: new ObjectId(file) }, { $set: { order: 1 } }, { session });
  });

/** The same addresses as the product's; a token is the id of its person. */
async function respond(
  method: string,
  url: URL,
  uid: string,
  body: () => Promise<unknown>,
): Promise<unknown> {
  const [, , id = "", part = ""] = url.pathname.split("/");
  if (url.pathname.startsWith("/me/conversations/"))
    return sendMessage(uid, part, (await body()) as { text: string });
  if (method === "POST") return postTask(uid, (await body()) as Posted);
  if (method === "PATCH") return placeBid(uid, id);
  if (url.pathname === "/profiles") return readPeople(Object.fromEntries(url.searchParams));
  if (part === "agreement") return readAgreement(uid, id);
  return id ? readTask(id) : readPage(Object.fromEntries(url.searchParams));
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", "http://floor");
  const uid = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const found = await respond(request.method ?? "GET", url, uid, () => json(request));
  const bytes = Buffer.from(JSON.stringify(found ?? {}));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": bytes.length });
  response.end(bytes);
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
