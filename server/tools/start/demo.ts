import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { MongoClient } from "mongodb";
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import { addDays, calendarDate, type QueueItem, type ReceivedBid } from "../../src/contract/index.ts";
import { type DatabaseAddress, openDatabase, SAFE_OPTIONS } from "../../src/db/client.ts";
import { createJobs } from "../../src/db/jobs.ts";
import { migrate } from "../../src/db/migrate.ts";
import { eventJobs } from "../../src/jobs.ts";
import { send as sendFile } from "../../test/send-file.ts";
import { fetchJson } from "../lib/request.ts";
import { UserError } from "../lib/user-error.ts";
import { DEMO_MARKER, markersIn } from "./demo-marker.ts";

/** A request that somebody sent, that many days before the data is loaded, so that it never looks old. */
type Act = {
  by: string;
  daysAgo: number;
  /** Method and path. `{name}` here and in the body is the id that an earlier act of the same list stored `as` that name. */
  send: string;
  /** `{in 5 days}` is the date five days after the load. */
  body?: object;
  as?: string;
  /** Of the list in the response, the bid of this person. */
  of?: string;
};
/** A text file that somebody stored before attaching it. */
type Upload = { by: string; daysAgo: number; upload: { name: string; text: string }; as: string };
type DemoTask = {
  by: string;
  daysAgo: number;
  task: object;
  bids: { by: string; daysAgo: number; offer: object }[];
  then?: (Act | Upload)[];
};
/** The names of people by their keys, what they did, and their tasks. */
type Demo = { people: Record<string, string>; acts: Act[]; tasks: DemoTask[] };

const demo = JSON.parse(readFileSync(join(import.meta.dirname, "demo.json"), "utf8")) as Demo;

/** Handles reports. */
const OPERATOR = "oda";
/** Public, because these accounts exist only in the local Auth emulator. */
const PASSWORD = "Tasklane1";

/** Amara, Jonas and Priya mostly hire; the others mostly bid; Oda is an operator. */
export const demoAccounts = Object.entries(demo.people).map(([key, name]) => ({
  uid: `demo-${key}`,
  email: `${key}@tasklane.example`,
  password: PASSWORD,
  displayName: name,
}));

/**
 * Loads the demo accounts, and replays what they did through the API, once: a marker records that, so that later edits and
 * deletions are kept. An interrupted load starts again.
 * @param options.mayEmpty whether the database is the embedded one, which held nothing else then.
 * @returns the number of tasks loaded; 0 if an earlier start has loaded them
 */
export async function seedDemoData(options: {
  mongoUri: string;
  emulatorHost: string;
  projectId: string;
  mayEmpty?: boolean;
}): Promise<number> {
  const { mongoUri, emulatorHost, projectId, mayEmpty = false } = options;
  await using client = new MongoClient(mongoUri, SAFE_OPTIONS);
  const db = client.db();
  const marker = await markersIn(db).findOne({ _id: DEMO_MARKER });
  // Accounts are stored separately: if they were deleted, they are created again for the tasks that remain.
  await createAccounts(emulatorHost, projectId, { onlyIfNone: marker?.doneAt !== undefined });
  if (marker?.doneAt) return 0;
  if (marker && !mayEmpty)
    throw new UserError("Loading the demo data was interrupted: drop the database, or unset SEED_DEMO.");
  if (marker) await db.dropDatabase();
  const now = new Date();
  // First creates the collections one after another: MongoDB under Wine crashes otherwise.
  const address = { uri: mongoUri, dbName: db.databaseName };
  await migrate(address);
  await markersIn(db).insertOne({ _id: DEMO_MARKER, startedAt: now });
  await replay(address, projectId, now);
  await markersIn(db).updateOne({ _id: DEMO_MARKER }, { $set: { doneAt: new Date() } });
  return demo.tasks.length;
}

async function createAccounts(
  emulatorHost: string,
  projectId: string,
  { onlyIfNone }: { onlyIfNone: boolean },
): Promise<void> {
  process.env["FIREBASE_AUTH_EMULATOR_HOST"] = emulatorHost;
  const app = initializeApp({ projectId }, "tasklane-seed");
  try {
    const auth = getAuth(app);
    const { users } = await auth.listUsers(100);
    if (onlyIfNone && users.length > 0) return;
    for (const account of demoAccounts) {
      if (users.some(({ uid }) => uid === account.uid)) continue;
      await auth.createUser({ ...account, emailVerified: true });
    }
  } finally {
    await deleteApp(app);
  }
}

const DAY_MS = 86_400_000;
const OPENED_DAYS_AGO = 410;
/** The operator has looked at older first tasks. */
const LOOKED_AT_DAYS = 3;

/** Sends everything in the order in which it happened, with the product's clock at that time. */
async function replay(address: DatabaseAddress, projectId: string, today: Date): Promise<void> {
  const database = await openDatabase(address);
  const clock = { now: today };
  const tokenExpiresAt = new Date(today.getTime() + DAY_MS);
  const now = () => clock.now;
  const logger = pino({ level: "warn" });
  const jobs = createJobs(database, eventJobs({ database }), { log: logger, now });
  const app = createApp({
    ...{ database, logger, now, jobs },
    // A busy machine may take its time.
    deadlineMs: 60_000,
    // A token is the key of its person.
    verifier: {
      verify: async (key) => ({
        ...{ uid: `demo-${key}`, email: `${key}@tasklane.example`, name: demo.people[key] ?? key },
        ...{ emailVerified: true, loggedInAt: clock.now, tokenExpiresAt },
      }),
    },
    settings: { env: "development", corsOrigins: [], firebase: { projectId }, trustProxy: 0 },
  });
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (daysAgo: number) => {
    clock.now = new Date(today.getTime() - daysAgo * DAY_MS);
  };
  try {
    at(OPENED_DAYS_AGO);
    await request(origin, OPERATOR, "GET /me");
    await database.people.updateOne({ _id: `demo-${OPERATOR}` }, { $set: { operator: true } });
    for (const { act, ids } of actsInOrder()) {
      at(act.daysAgo);
      const id =
        "upload" in act
          ? await sendFile(origin, { token: act.by }, act.upload.name, Buffer.from(act.upload.text))
          : await send(origin, act, { ids, today });
      if (act.as) ids.set(act.as, id);
      if ("upload" in act) await jobs.drain("file-check");
    }
    const queue = await request<QueueItem[]>(
      origin,
      OPERATOR,
      "GET /operators/queue?kind=first-task&limit=100",
    );
    for (const { _id, createdAt } of queue)
      if (today.getTime() - Date.parse(createdAt) > LOOKED_AT_DAYS * DAY_MS)
        await request(origin, OPERATOR, `PATCH /operators/queue/${_id}`, { settled: true });
    at(0);
    await jobs.drainAll();
  } finally {
    server.closeAllConnections();
    server.close();
    await database.close();
  }
}

/** Ids by their names, for the acts of one list. */
type Ids = Map<string, string>;

function actsInOrder(): { act: Act | Upload; ids: Ids }[] {
  return [demo.acts, ...demo.tasks.map(actsOf)]
    .flatMap((acts) => {
      const ids: Ids = new Map();
      return acts.map((act) => ({ act, ids }));
    })
    .sort((a, b) => b.act.daysAgo - a.act.daysAgo);
}

function actsOf({ by, daysAgo, task, bids, then = [] }: DemoTask): (Act | Upload)[] {
  return [
    { by, daysAgo, send: "POST /tasks", body: task, as: "task" },
    ...bids.map(({ offer, ...act }) => ({ ...act, send: "PATCH /tasks/{task}/bid", body: offer })),
    ...then,
  ];
}

function request<T>(origin: string, token: string, send: string, body?: object): Promise<T> {
  const [method = "", path = ""] = send.split(" ");
  return fetchJson(origin, { method, path, token, body });
}

/** @returns the id of what the request created or found. */
async function send(origin: string, act: Act, { ids, today }: { ids: Ids; today: Date }): Promise<string> {
  const fillIn = (text: string) =>
    text.replace(/\{(?:in (-?\d+) days|(\w+))\}/g, (placeholder, days, name) =>
      days ? addDays(calendarDate(today), Number(days)) : (ids.get(name) ?? placeholder),
    );
  const body = act.body && JSON.parse(fillIn(JSON.stringify(act.body)));
  const found = await request<ReceivedBid[] | { insertedId: string }>(origin, act.by, fillIn(act.send), body);
  if (!Array.isArray(found)) return found.insertedId;
  return found.find(({ freelancerId }) => freelancerId === `demo-${act.of}`)?._id ?? "";
}
