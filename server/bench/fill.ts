import { MongoClient } from "mongodb";
import { prepareDatabase } from "../src/db/indexes.ts";
import { taskBatches } from "./tasks.ts";

/** The databases of one size: the product's (also read by the floor), and the plain way's own. */
export type Filled = { count: number; uri: string; dbName: string; plainDbName: string };

const BATCH = 5_000;

/**
 * Stores `count` tasks twice: as the product does, with its indexes, and plain, without derived fields or any index.
 * Collections are made one after another, as the product does it.
 */
export async function fill(
  mongoUri: string,
  count: number,
  progress: (text: string) => void,
): Promise<Filled> {
  const filled = { count, uri: mongoUri, dbName: `bench_${count}`, plainDbName: `bench_${count}_plain` };
  const client = await MongoClient.connect(mongoUri);
  try {
    const tasks = await client.db(filled.dbName).createCollection("tasks");
    const plain = await client.db(filled.plainDbName).createCollection("tasks");
    let stored = 0;
    for (const batch of taskBatches(count, BATCH)) {
      await tasks.insertMany(batch, { ordered: false });
      await plain.insertMany(
        batch.map(({ grams: _grams, revision: _revision, ...task }) => task),
        { ordered: false },
      );
      stored += batch.length;
      progress(`${stored} of ${count} tasks stored`);
    }
  } finally {
    await client.close();
  }
  progress(`building the indexes of ${count} tasks`);
  await prepareDatabase({ uri: mongoUri, dbName: filled.dbName });
  return filled;
}
