import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import type { DatabaseAddress } from "../src/db/client.ts";
import { prepareDatabase } from "../src/db/prepare-database.ts";

/**
 * Databases that earlier test files of this worker no longer use. A database has some 150 files, which mongod keeps
 * open for a while after it is dropped: with a new database for each test file, Wine ran out of handles (20,000).
 */
const free: string[] = [];

/** An empty, prepared database that no other test file uses until it is released. */
export async function acquireDatabase(uri: string): Promise<DatabaseAddress> {
  const dbName = free.pop();
  const address = { uri, dbName: dbName ?? `test-${randomUUID()}` };
  if (dbName) await empty(address);
  // A reused database too: earlier tests may have dropped an index or changed a validation rule.
  await prepareDatabase(address);
  return address;
}

export function releaseDatabase({ dbName }: DatabaseAddress): void {
  free.push(dbName);
}

async function empty({ uri, dbName }: DatabaseAddress): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const db = client.db(dbName);
    await Promise.all((await db.collections()).map((collection) => collection.deleteMany()));
  } finally {
    await client.close();
  }
}
