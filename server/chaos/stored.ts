import { MongoClient } from "mongodb";
import { type Collections, collectionsOf } from "../src/db/collections.ts";

/** Works on the product's collections, as a majority has stored them. */
export async function withStored<T>(uri: string, work: (stored: Collections) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri, { readConcern: { level: "majority" } });
  try {
    return await work(collectionsOf(client.db()));
  } finally {
    await client.close();
  }
}
