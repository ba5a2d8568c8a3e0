import { MongoClient } from "mongodb";
import { type Collections, collectionsOf } from "../../src/db/collections.ts";

/** Gives access to the product's collections, as stored on a majority of members. */
export async function withStoredData<T>(uri: string, work: (stored: Collections) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri, { readConcern: { level: "majority" } });
  try {
    return await work(collectionsOf(client.db()));
  } finally {
    await client.close();
  }
}
