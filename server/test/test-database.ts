import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import type { DatabaseAddress } from "../src/db/client.ts";
import { prepareDatabase } from "../src/db/prepare-database.ts";

/**
 * Databases that this worker prepared for earlier test files, and nobody uses now. A database is some 150 files, which
 * mongod keeps open for a while after it is dropped: with one for each test file, Wine ran out of them (20,000).
 */
const free: string[] = [];

/** An empty, prepared database that no other test file uses until it is given back. */
export async function acquireDatabase(uri: string): Promise<DatabaseAddress> {
  const dbName = free.pop();
  const address = { uri, dbName: dbName ?? `test-${randomUUID()}` };
  if (dbName) await empty(address);
  // Also one of an earlier file: its tests may have dropped an index or changed a rule.
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
