import { MongoClient } from "mongodb";
import { INDEXES } from "../src/db/declared-indexes.ts";
import { prepareDatabase } from "../src/db/indexes.ts";
import { taskBatches } from "./tasks.ts";

/** The databases of one size: the product's (also read by the floor), and the plain way's own. */
export type Filled = { count: number; uri: string; dbName: string; plainDbName: string };

const BATCH = 5_000;
// Whatever is lost in a crash is filled anew.
const QUICKLY = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

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
      const bare = batch.map(({ grams2: _grams, revision: _revision, ...task }) => task);
      await Promise.all([tasks.insertMany(batch, QUICKLY), plain.insertMany(bare, QUICKLY)]);
      stored += batch.length;
      if (stored % (10 * BATCH) === 0) progress(`${stored} of ${count} tasks stored`);
    }
    progress(`building the indexes of ${count} tasks`);
    // All of them from one look at each task; the product builds one after another, to serve requests meanwhile.
    await tasks.createIndexes(INDEXES.tasks.map((index) => ({ ...index })));
  } finally {
    await client.close();
  }
  await prepareDatabase({ uri: mongoUri, dbName: filled.dbName });
  await settle(mongoUri);
  return filled;
}

/** What filling left in the cache is on the disk before anything is measured. */
async function settle(mongoUri: string): Promise<void> {
  const client = await MongoClient.connect(mongoUri);
  try {
    await client.db("admin").command({ fsync: 1 });
  } finally {
    await client.close();
  }
}
