import { type Db, type IndexDescription, MongoClient, MongoServerError } from "mongodb";
import { type DatabaseAddress, SAFE_OPTIONS } from "./client.ts";

/** Every index of the product, by collection. */
const INDEXES: Record<"tasks" | "bids", IndexDescription[]> = {
  tasks: [
    { name: "newest", key: { createdAt: -1, _id: -1 } },
    { name: "by-deadline", key: { deadline: 1, _id: 1 } },
    { name: "category-newest", key: { category: 1, createdAt: -1, _id: -1 } },
    { name: "category-by-deadline", key: { category: 1, deadline: 1, _id: 1 } },
    { name: "owner-newest", key: { ownerId: 1, createdAt: -1, _id: -1 } },
    { name: "featured", key: { bidsCount: -1, deadline: 1, _id: 1 } },
  ],
  bids: [
    // The rule "one bid per freelancer and task" lives here: nothing can get around it.
    { name: "one-per-freelancer", key: { taskId: 1, bidderId: 1 }, unique: true },
    { name: "bidder-newest", key: { bidderId: 1, createdAt: -1, _id: -1 } },
  ],
};

/**
 * Creates the collections and indexes that are missing, one after another: creating collections concurrently has
 * crashed servers under Wine, and transactions need their collections to exist.
 * Uses its own client, without the time limits of requests: a first index over a million tasks takes a while.
 */
export async function prepareDatabase({ uri, dbName }: DatabaseAddress): Promise<void> {
  const client = new MongoClient(uri, SAFE_OPTIONS);
  try {
    await client.connect();
    const db = client.db(dbName);
    for (const [name, indexes] of Object.entries(INDEXES)) {
      await ensureCollection(db, name);
      await db.collection(name).createIndexes(indexes);
    }
  } finally {
    await client.close();
  }
}

const NAMESPACE_EXISTS = 48;

async function ensureCollection(db: Db, name: string): Promise<void> {
  const present = await db.listCollections({ name }, { nameOnly: true }).hasNext();
  if (present) return;
  await db.createCollection(name).catch((error) => {
    // Another instance that starts at the same moment was faster.
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  });
}
