import { createHash } from "node:crypto";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { type Collection, MongoClient, ObjectId, type OptionalUnlessRequiredId } from "mongodb";
import { addDays, calendarDate } from "../src/contract/dates.ts";
import { type BidDoc, collectionsOf, type TaskDoc } from "../src/db/collections.ts";
import { prepareDatabase } from "../src/db/indexes.ts";
import { type DemoAccount, type DemoTask, demoAccounts, demoTasks } from "./demo-data/index.ts";

const MARKER = "demo-v1";
const DAY_MS = 86_400_000;

/**
 * Loads the demo accounts, tasks and bids once. A marker written last says that it is done: what people edit or
 * delete afterwards stays so, and an interrupted loading is completed at the next start.
 * @returns the number of tasks loaded, 0 if that happened before
 */
export async function seedDemoData(options: {
  mongoUri: string;
  emulatorHost: string;
  projectId: string;
}): Promise<number> {
  const { mongoUri, emulatorHost, projectId } = options;
  const client = new MongoClient(mongoUri, { writeConcern: { w: "majority", journal: true } });
  try {
    const db = client.db();
    const meta = db.collection<{ _id: string; startedAt: Date; doneAt?: Date }>("meta");
    const marker = await meta.findOne({ _id: MARKER });
    if (marker?.doneAt) {
      // The accounts live elsewhere: without their folder they would be gone while their tasks stay.
      await createAccounts(emulatorHost, projectId, { onlyIfNone: true });
      return 0;
    }
    // Collections one after another, before anything else: MongoDB under Wine cannot bear it otherwise.
    await prepareDatabase({ uri: mongoUri, dbName: db.databaseName });
    // The day of the first try is kept, so that an interrupted loading goes on with the same dates.
    const startedAt = marker?.startedAt ?? new Date();
    await meta.updateOne({ _id: MARKER }, { $setOnInsert: { startedAt } }, { upsert: true });
    await createAccounts(emulatorHost, projectId);
    const { tasks, bids } = collectionsOf(db);
    await insertMissing(
      tasks,
      demoTasks.map((task) => taskDoc(task, startedAt)),
    );
    await insertMissing(
      bids,
      demoTasks.flatMap((task) => bidDocs(task, startedAt)),
    );
    await meta.updateOne({ _id: MARKER }, { $set: { doneAt: new Date() } });
    return demoTasks.length;
  } finally {
    await client.close();
  }
}

async function createAccounts(
  emulatorHost: string,
  projectId: string,
  { onlyIfNone = false } = {},
): Promise<void> {
  process.env["FIREBASE_AUTH_EMULATOR_HOST"] = emulatorHost;
  const app = initializeApp({ projectId }, "tasklane-seed");
  try {
    const auth = getAuth(app);
    if (onlyIfNone && (await auth.listUsers(1)).users.length > 0) return;
    for (const { uid, email, password, displayName, photoURL } of demoAccounts) {
      const photo = photoURL ? { photoURL } : {};
      await auth
        .createUser({ uid, email, password, displayName, emailVerified: true, ...photo })
        .catch(ignoreExisting);
    }
  } finally {
    await deleteApp(app);
  }
}

function ignoreExisting(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "auth/uid-already-exists" && code !== "auth/email-already-exists") throw error;
}

// Ids come from the demo keys, so that a second try inserts nothing twice.
async function insertMissing<T extends TaskDoc | BidDoc>(
  collection: Collection<T>,
  docs: T[],
): Promise<void> {
  const known = await collection.distinct("_id");
  const present = new Set(known.map(String));
  const fresh = docs.filter((doc) => !present.has(String(doc._id)));
  if (fresh.length > 0) await collection.insertMany(fresh as OptionalUnlessRequiredId<T>[]);
}

function taskDoc(task: DemoTask, today: Date): TaskDoc {
  const owner = account(task.ownerUid);
  const createdAt = postedAt(task, today);
  return {
    _id: idOf(`task:${task.key}`),
    title: task.title,
    category: task.category,
    description: task.description,
    deadline: addDays(calendarDate(today), task.deadlineInDays),
    budget: task.budget,
    ownerId: owner.uid,
    email: owner.email,
    name: owner.displayName,
    ...(owner.photoURL ? { clientImage: owner.photoURL } : {}),
    bidsCount: new Set(task.bidderUids).size,
    createdAt,
    updatedAt: createdAt,
    revision: 0,
  };
}

function bidDocs(task: DemoTask, today: Date): BidDoc[] {
  const posted = postedAt(task, today).getTime();
  const bidders = [...new Set(task.bidderUids)].map(account);
  // Spread between the posting and now, or the deadline if that is past.
  const closed = Math.min(today.getTime(), today.getTime() + task.deadlineInDays * DAY_MS);
  return bidders.map((bidder, index) => ({
    _id: idOf(`bid:${task.key}:${bidder.uid}`),
    taskId: idOf(`task:${task.key}`),
    bidderId: bidder.uid,
    bidderName: bidder.displayName,
    bidderEmail: bidder.email,
    createdAt: new Date(posted + Math.max(0, ((closed - posted) * (index + 1)) / (bidders.length + 1))),
  }));
}

// Tasks posted on the same day are minutes apart, so that "newest first" has one answer.
function postedAt(task: DemoTask, today: Date): Date {
  const minutes = Number.parseInt(idOf(task.key).toHexString().slice(0, 4), 16) % 600;
  return new Date(today.getTime() - task.postedDaysAgo * DAY_MS - minutes * 60_000);
}

function account(uid: string): DemoAccount {
  const found = demoAccounts.find((candidate) => candidate.uid === uid);
  if (!found) throw new Error(`The demo data names an account that is not there: ${uid}`);
  return found;
}

function idOf(key: string): ObjectId {
  return new ObjectId(createHash("sha256").update(`tasklane:${key}`).digest("hex").slice(0, 24));
}
