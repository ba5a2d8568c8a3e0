import { type Db, MongoClient } from "mongodb";
import { type DatabaseAddress, SAFE_OPTIONS } from "../../src/db/client.ts";

/** In `meta`: whether the demo data has been loaded, so that it is loaded once and later edits and deletions are kept. */
export const DEMO_MARKER = "demo-data";

type Marker = { _id: string; startedAt: Date; doneAt?: Date };

/** The collection that holds the marker of the demo data. */
export const markersIn = (db: Db) => db.collection<Marker>("meta");

/** Keeps demo data out of a restored database, unless the backup was made while it was being loaded. */
export async function preventDemoData({ uri, dbName }: DatabaseAddress): Promise<void> {
  await using client = new MongoClient(uri, SAFE_OPTIONS);
  const now = new Date();
  const marker = { $setOnInsert: { startedAt: now, doneAt: now } };
  await markersIn(client.db(dbName)).updateOne({ _id: DEMO_MARKER }, marker, { upsert: true });
}
