import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { MongoClient } from "mongodb";
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import {
  addDays,
  type BidDraft,
  calendarDate,
  type DeliveryDraft,
  type EndingDraft,
  type InvoiceDraft,
  type PaymentDetails,
  type PaymentDraft,
  type ProfileDraft,
  type ProposalDraft,
  type QueueItem,
  type ReceivedBid,
  type ReviewDraft,
  type SavedSearchDraft,
  type TaskDraft,
  UPLOADS_PATH,
} from "../../src/contract/index.ts";
import { type Database, type DatabaseAddress, openDatabase, SAFE_OPTIONS } from "../../src/db/client.ts";
import { createJobs } from "../../src/db/jobs.ts";
import { migrate } from "../../src/db/migrate.ts";
import { eventJobs } from "../../src/jobs.ts";
import { UserError } from "../lib/user-error.ts";
import { DEMO_MARKER, markersIn } from "./demo-marker.ts";

/** What somebody did, that many days before the data is loaded, so that it never looks old. */
type Act = { by: string; daysAgo: number };
type DemoTask = Act &
  Omit<TaskDraft, "deadline"> & {
    /** Days from the load to the deadline; negative if it has passed. */
    due: number;
    /** Texts by the names of their files. */
    files?: Record<string, string>;
    bids: (Act & BidDraft)[];
    questions?: (Act & { text: string; answer?: string })[];
    saved?: Act[];
    reports?: (Act & { reason: string; text?: string; settled?: true })[];
    /** When it was cancelled. */
    cancelled?: number;
    hire?: {
      freelancer: string;
      daysAgo: number;
      /** The freelancer's proposal to change the agreement; `due` as for tasks. */
      proposal?: Omit<ProposalDraft, "due" | "milestones"> & {
        daysAgo: number;
        due: number;
        milestones: { name: string; amount: number; due: number }[];
      };
      /** The freelancer proposes to end it early, and the client opens a dispute a few hours later. */
      dispute?: EndingDraft & { daysAgo: number; byClient: string; byFreelancer: string };
      steps?: ({ daysAgo: number } & (DeliveryDraft | { reason: string }))[];
      completed?: number;
      /** `due` as for tasks. */
      invoice?: Omit<InvoiceDraft, "due"> & { daysAgo: number; due: number };
      /** `confirmed`: when the freelancer confirmed it. */
      paid?: PaymentDraft & { daysAgo: number; confirmed?: number };
      /** Written when the task was completed. */
      byClient?: ReviewDraft;
      byFreelancer?: ReviewDraft;
      messages?: { by: "client" | "freelancer"; daysAgo: number; text: string }[];
    };
  };
type Demo = {
  people: Record<string, { name: string; daysAgo: number; profile?: ProfileDraft; payment?: PaymentDetails }>;
  searches: (Act & { draft: SavedSearchDraft; paused?: true })[];
  tasks: DemoTask[];
};

const demo = JSON.parse(readFileSync(join(import.meta.dirname, "demo.json"), "utf8")) as Demo;

/** Handles reports. */
const OPERATOR = "oda";
/** Public, because these accounts exist only in the local Auth emulator. */
const PASSWORD = "Tasklane1";

/** Amara, Jonas and Priya mostly hire; the others mostly bid; Oda is an operator. */
export const demoAccounts = Object.entries(demo.people).map(([key, { name }]) => ({
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
  const client = new MongoClient(mongoUri, SAFE_OPTIONS);
  try {
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
  } finally {
    await client.close();
  }
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
const HOUR = 1 / 24;
/** Older notifications are read. */
const UNREAD_DAYS = 3;

type Call = <T = { insertedId: string }>(
  by: string,
  method: string,
  path: string,
  body?: object,
) => Promise<T>;

/** Stores a file of this person that is ready to be attached. @returns its id. */
type UploadFile = (by: string, name: string, text: string) => Promise<string>;

/** Plays everything in the order in which it happened, with the product's clock at that time. */
async function replay(address: DatabaseAddress, projectId: string, today: Date): Promise<void> {
  const database = await openDatabase(address);
  const clock = { now: today };
  const tokenExpiresAt = new Date(today.getTime() + DAY_MS);
  const now = () => clock.now;
  const logger = pino({ level: "warn" });
  const jobs = createJobs(database, eventJobs({ database }), { log: logger, now });
  const app = createApp({
    ...{ database, logger, now, jobs },
    // A token is the key of its person.
    verifier: {
      verify: async (key) => ({
        ...{ uid: `demo-${key}`, email: `${key}@tasklane.example`, name: demo.people[key]?.name ?? key },
        ...{ emailVerified: true, loggedInAt: clock.now, tokenExpiresAt },
      }),
    },
    settings: { env: "development", corsOrigins: [], firebase: { projectId }, trustProxy: 0 },
  });
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const call: Call = async (by, method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${by}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Demo data: ${method} ${path} by ${by}: ${response.status} ${text}`);
    return JSON.parse(text || "{}");
  };
  const upload: UploadFile = async (by, name, text) => {
    const headers = { authorization: `Bearer ${by}`, "tus-resumable": "1.0.0" };
    const metadata = `filename ${Buffer.from(name).toString("base64")}`;
    const created = await fetch(`http://127.0.0.1:${port}${UPLOADS_PATH}`, {
      method: "POST",
      headers: { ...headers, "upload-length": String(Buffer.byteLength(text)), "upload-metadata": metadata },
    });
    const location = created.headers.get("location") ?? "";
    const type = "application/offset+octet-stream";
    await fetch(`http://127.0.0.1:${port}${location}`, {
      method: "PATCH",
      headers: { ...headers, "upload-offset": "0", "content-type": type },
      body: text,
    });
    await jobs.drain("file-check");
    return location.slice(-24);
  };
  try {
    const acts = actsOf({ call, upload }, database, today).sort((a, b) => b.daysAgo - a.daysAgo);
    for (const { daysAgo, act } of acts) {
      clock.now = new Date(today.getTime() - daysAgo * DAY_MS);
      await act();
    }
    await jobs.drainAll();
  } finally {
    server.closeAllConnections();
    server.close();
    await database.close();
  }
}

/** Everything that happened, in any order. */
function actsOf({ call, upload }: { call: Call; upload: UploadFile }, { people }: Database, today: Date) {
  const acts: { daysAgo: number; act: () => Promise<unknown> }[] = [];
  const add = (daysAgo: number, act: () => Promise<unknown>) => void acts.push({ daysAgo, act });
  for (const [by, { daysAgo, profile, payment }] of Object.entries(demo.people)) {
    add(daysAgo, async () => {
      await call(by, "GET", "/me");
      if (by === OPERATOR) await people.updateOne({ _id: `demo-${OPERATOR}` }, { $set: { operator: true } });
    });
    if (profile) add(daysAgo - 1, () => call(by, "PUT", "/me/profile", profile));
    if (payment) add(daysAgo - 1, () => call(by, "PUT", "/me/payment-details", payment));
    add(UNREAD_DAYS, () => call(by, "POST", "/me/notifications/read"));
  }
  for (const { by, daysAgo, draft, paused } of demo.searches)
    add(daysAgo, async () => {
      const { insertedId } = await call(by, "POST", "/me/searches", draft);
      if (paused) await call(by, "PATCH", `/me/searches/${insertedId}`, { paused });
    });
  for (const task of demo.tasks) addTask(task);
  add(UNREAD_DAYS, async () => {
    const items = await call<QueueItem[]>(OPERATOR, "GET", "/operators/queue?kind=first-task&limit=100");
    for (const { _id } of items) await call(OPERATOR, "PATCH", `/operators/queue/${_id}`, { settled: true });
  });
  return acts;

  function addTask({
    by: client,
    daysAgo,
    due,
    files: texts = {},
    bids,
    questions,
    saved,
    reports,
    cancelled,
    hire,
    ...draft
  }: DemoTask) {
    let path = "";
    let id = "";
    add(daysAgo, async () => {
      const deadline = addDays(calendarDate(today), due);
      const files: string[] = [];
      for (const [name, text] of Object.entries(texts)) files.push(await upload(client, name, text));
      id = (await call(client, "POST", "/tasks", { ...draft, deadline, files })).insertedId;
      path = `/tasks/${id}`;
    });
    for (const { by, daysAgo, ...offer } of bids) add(daysAgo, () => call(by, "PATCH", `${path}/bid`, offer));
    for (const { by, daysAgo, text, answer } of questions ?? []) {
      let questionId = "";
      add(daysAgo, async () => {
        questionId = (await call(by, "POST", `${path}/questions`, { text })).insertedId;
      });
      if (answer)
        add(daysAgo - 12 * HOUR, () =>
          call(client, "PUT", `${path}/questions/${questionId}/answer`, { text: answer }),
        );
    }
    for (const { by, daysAgo } of saved ?? []) add(daysAgo, () => call(by, "PUT", `/me/saved/${id}`));
    for (const { by, daysAgo, settled, ...report } of reports ?? [])
      add(daysAgo, async () => {
        const { insertedId } = await call(by, "POST", "/reports", { ...report, taskId: id });
        if (settled) await call(OPERATOR, "PATCH", `/reports/${insertedId}`, { settled });
      });
    if (cancelled) add(cancelled, () => call(client, "PATCH", `${path}/state`, { state: "cancelled" }));
    if (!hire) return;
    const {
      freelancer,
      proposal,
      dispute,
      steps,
      completed,
      invoice,
      paid,
      byClient,
      byFreelancer,
      messages = [],
    } = hire;
    let bidId = "";
    add(hire.daysAgo, async () => {
      const received = await call<ReceivedBid[]>(client, "GET", `${path}/bids`);
      bidId = received.find(({ freelancerId }) => freelancerId === `demo-${freelancer}`)?._id ?? "";
      await call(client, "POST", `${path}/award`, { bidId });
    });
    if (proposal) {
      const { daysAgo, ...terms } = proposal;
      const dated = <T extends { due: number }>(some: T) => ({
        ...some,
        due: addDays(calendarDate(today), some.due),
      });
      const draft = { ...dated(terms), milestones: terms.milestones.map(dated) };
      add(daysAgo, () => call(freelancer, "PUT", `${path}/agreement/proposal`, draft));
    }
    if (dispute) {
      const { daysAgo, byClient, byFreelancer, ...ending } = dispute;
      add(daysAgo, () => call(freelancer, "PUT", `${path}/ending`, ending));
      add(daysAgo - 3 * HOUR, () =>
        call(client, "PUT", `${path}/dispute`, { text: byClient, messages: true }),
      );
      add(daysAgo - 6 * HOUR, () => call(freelancer, "PUT", `${path}/dispute`, { text: byFreelancer }));
    }
    for (const { daysAgo, ...step } of steps ?? []) {
      const [by, kind] = "reason" in step ? [client, "changes"] : [freelancer, "deliveries"];
      add(daysAgo, () => call(by, "POST", `${path}/${kind}`, step));
    }
    for (const { by, daysAgo, text } of messages) {
      const from = by === "client" ? client : freelancer;
      add(daysAgo, async () => {
        const { insertedId } = await call(client, "POST", `${path}/bids/${bidId}/conversation`);
        await call(from, "POST", `/me/conversations/${insertedId}/messages`, { text });
      });
    }
    if (!completed) return;
    add(completed, () => call(client, "PATCH", `${path}/state`, { state: "completed" }));
    if (byClient) add(completed, () => call(client, "POST", `${path}/reviews`, byClient));
    if (byFreelancer)
      add(completed - 2 * HOUR, () => call(freelancer, "POST", `${path}/reviews`, byFreelancer));
    if (invoice) {
      const { daysAgo, due, ...draft } = invoice;
      const body = { ...draft, due: addDays(calendarDate(today), due) };
      add(daysAgo, () => call(freelancer, "POST", `${path}/invoices`, body));
    }
    if (!paid) return;
    const { daysAgo: paidAgo, confirmed, ...payment } = paid;
    add(paidAgo, () => call(client, "PUT", `${path}/payment`, payment));
    if (confirmed)
      add(confirmed - HOUR, () => call(freelancer, "PATCH", `${path}/payment`, { received: true }));
  }
}
