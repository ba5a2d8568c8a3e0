import { deleteApp, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { type Collection, MongoClient, type ObjectId } from "mongodb";
import type { DatabaseAddress } from "../../../src/db/client.ts";
import { type Collections, collectionsOf } from "../../../src/db/collections.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { type DemoDocuments, demoDocuments } from "./documents.ts";
import { demoAccounts } from "./people.ts";
import { demoTasks } from "./tasks.ts";

const MARKER = "demo-data";
const SAFE = { ignoreUndefined: true, writeConcern: { w: "majority", journal: true } } as const;
type Marker = { _id: string; startedAt: Date; doneAt?: Date };

/**
 * Loads the demo accounts, tasks and bids once. A marker written at the end records that: later edits and deletions are
 * kept, and an interrupted load is completed at the next start.
 * @returns the number of tasks loaded; 0 if an earlier start has loaded them
 */
export async function seedDemoData(options: {
  mongoUri: string;
  emulatorHost: string;
  projectId: string;
}): Promise<number> {
  const { mongoUri, emulatorHost, projectId } = options;
  const client = new MongoClient(mongoUri, SAFE);
  try {
    const db = client.db();
    const meta = db.collection<Marker>("meta");
    const marker = await meta.findOne({ _id: MARKER });
    if (marker?.doneAt) {
      // Accounts are stored separately: if they were deleted, create them again for the tasks that remain.
      await createAccounts(emulatorHost, projectId, { onlyIfNone: true });
      return 0;
    }
    // First creates the collections one after another: MongoDB under Wine crashes otherwise.
    await migrate({ uri: mongoUri, dbName: db.databaseName });
    // The day of the first attempt, so that an interrupted load continues with the same dates.
    const startedAt = marker?.startedAt ?? new Date();
    await meta.updateOne({ _id: MARKER }, { $setOnInsert: { startedAt } }, { upsert: true });
    await createAccounts(emulatorHost, projectId);
    await insertMissing(collectionsOf(db), demoDocuments(startedAt));
    await meta.updateOne({ _id: MARKER }, { $set: { doneAt: new Date() } });
    return demoTasks.length;
  } finally {
    await client.close();
  }
}

/** Keeps demo data out of a restored database, unless the backup was made while it was being loaded. */
export async function preventDemoData({ uri, dbName }: DatabaseAddress): Promise<void> {
  const client = new MongoClient(uri, SAFE);
  try {
    const meta = client.db(dbName).collection<Marker>("meta");
    const now = new Date();
    const marker = { $setOnInsert: { startedAt: now, doneAt: now } };
    await meta.updateOne({ _id: MARKER }, marker, { upsert: true });
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
    for (const { uid, email, password, displayName, isOperator } of demoAccounts) {
      await auth.createUser({ uid, email, password, displayName, emailVerified: true }).catch(ignoreExisting);
      if (isOperator) await auth.setCustomUserClaims(uid, { admin: true });
    }
  } finally {
    await deleteApp(app);
  }
}

function ignoreExisting(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "auth/uid-already-exists" && code !== "auth/email-already-exists") throw error;
}

/**
 * Inserts the documents that do not exist yet. Their ids derive from the demo keys, so a second attempt inserts nothing
 * twice.
 */
export async function insertMissing(
  collections: Pick<Collections, keyof DemoDocuments>,
  documents: DemoDocuments,
): Promise<void> {
  for (const name of Object.keys(documents) as (keyof DemoDocuments)[]) {
    const collection = collections[name] as unknown as Collection<{ _id: ObjectId | string }>;
    const docs: { _id: ObjectId | string }[] = documents[name];
    const ids = docs.map(({ _id }) => _id);
    const known = await collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const present = new Set(known.map(({ _id }) => String(_id)));
    const fresh = docs.filter(({ _id }) => !present.has(String(_id)));
    if (fresh.length > 0) await collection.insertMany(fresh);
  }
}
