import { type Collection, MongoClient, type ObjectId } from "mongodb";
import { CATEGORIES, calendarDate } from "../../src/contract/index.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import type { TaskDoc } from "../../src/db/documents/tasks.ts";
import { INDEXES } from "../../src/db/indexes.ts";
import { migrate } from "../../src/db/migrate.ts";
import { type Place, placeOf } from "../../src/features/tasks/task-list-plan.ts";
import { aTaskDoc, inDays } from "../../test/builders.ts";
import { seededRandom } from "../../test/many-tasks.ts";
import { PAGE } from "./servers/child.ts";
import { titlesFor } from "./titles.ts";

/** The databases of one size: the product's, which the floor uses too, and the plain server's, if it is measured. */
export type FilledDatabase = {
  count: number;
  uri: string;
  dbName: string;
  plainDbName: string | undefined;
  size: DatabaseSize;
};

/** How long filling the product's task collection took, in ms, and its size on disk, in bytes. */
export type DatabaseSize = {
  storeMs: number;
  indexMs: number;
  taskBytes: number;
  indexBytes: Record<string, number>;
};

/** Data from a filled database that requests refer to. */
export type Sample = {
  /** Ids of random tasks, and of the open ones among them. */
  ids: string[];
  openIds: string[];
  tokens: string[];
  deepPlace: Place;
  /** The number of the deep page; smaller in a small database. */
  deepPage: number;
};

const BATCH = 5_000;
const INDEX_BUILD_MB = 4_096;
const OWNERS = 5_000;
const DESCRIPTION =
  "We have the texts and a first sketch. You work alone and ask when something is unclear; we answer within a day. " +
  "The result comes as editable files, and one round of changes is part of the price.";
// Durability does not matter: the data can be filled in again.
const FAST = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

/** Stores `count` tasks with the product's indexes and, with `plain`, a copy without derived fields or indexes. */
export async function fill(
  uri: string,
  count: number,
  { plain: withPlain, progress }: { plain: boolean; progress: (text: string) => void },
): Promise<FilledDatabase> {
  const dbName = `bench_${count}`;
  const plainDbName = withPlain ? `${dbName}_plain` : undefined;
  const client = await MongoClient.connect(uri);
  try {
    const { tasks } = collectionsOf(client.db(dbName));
    const plain = plainDbName && client.db(plainDbName).collection("tasks");
    const started = performance.now();
    let stored = 0;
    for (const batch of taskBatches(count)) {
      await tasks.insertMany(batch, FAST);
      if (plain) await plain.insertMany(batch.map(plainTask), FAST);
      stored += batch.length;
      if (stored % (10 * BATCH) === 0) progress(`${stored} of ${count} tasks stored`);
    }
    progress(`building the indexes of ${count} tasks`);
    // All in one pass over the tasks, sorted in memory; the product builds them one by one, to keep serving requests.
    await client.db("admin").command({ setParameter: 1, maxIndexBuildMemoryUsageMegabytes: INDEX_BUILD_MB });
    const storedAt = performance.now();
    await tasks.createIndexes(INDEXES.tasks.map((index) => ({ ...index })));
    const indexMs = performance.now() - storedAt;
    await migrate({ uri, dbName });
    // So that nothing is flushed to disk during the measurement.
    await client.db("admin").command({ fsync: 1 });
    const size = { storeMs: storedAt - started, indexMs, ...(await sizeOf(tasks)) };
    return { count, uri, dbName, plainDbName, size };
  } finally {
    await client.close();
  }
}

async function sizeOf(tasks: Collection<TaskDoc>): Promise<Pick<DatabaseSize, "taskBytes" | "indexBytes">> {
  const [stats] = await tasks
    .aggregate<{ storageStats: { storageSize: number; indexSizes: Record<string, number> } }>([
      { $collStats: { storageStats: {} } },
    ])
    .toArray();
  if (!stats) throw new Error("MongoDB knows nothing of the tasks that were just stored.");
  return { taskBytes: stats.storageStats.storageSize, indexBytes: stats.storageStats.indexSizes };
}

/** Tasks as the product stores them, the same for the same count on the same day. */
function* taskBatches(count: number): Generator<TaskDoc[]> {
  const roll = seededRandom(count + 1);
  const titleOf = titlesFor(count);
  const now = Date.now();
  const today = inDays(0);
  const deadlines = Array.from({ length: 120 }, (_, day) => inDays(day - 30));
  for (let start = 0; start < count; start += BATCH) {
    yield Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => {
      const owner = Math.floor(roll() * OWNERS);
      const createdAt = new Date(now - Math.floor(roll() * 365 * 86_400) * 1_000);
      const deadline = pick(deadlines);
      return aTaskDoc({
        title: titleOf(start + offset),
        category: pick(CATEGORIES),
        description: DESCRIPTION,
        deadline,
        budget: 50 + Math.floor(roll() * 2_000),
        ownerId: `owner-${owner}`,
        email: `client-${owner}@people.example`,
        name: `Client ${owner}`,
        // No expired tasks with bids, so that no jobs have to process them first.
        bidsCount: deadline < today ? 0 : Math.floor(roll() ** 3 * 20),
        createdAt,
        updatedAt: createdAt,
      });
    });
  }

  function pick<T>(from: readonly T[]): T {
    return from[Math.floor(roll() * from.length)] as T;
  }
}

function plainTask({ _id, title, category, description, deadline, budget, email, name, bidsCount }: TaskDoc) {
  return { _id, title, category, description, deadline, budget, email, name, bidsCount };
}

const DEEP_PAGE = 1_000;
const SAMPLED = 20_000;

/** Samples the data that requests refer to. */
export async function takeSample(filled: FilledDatabase, tokens: string[]): Promise<Sample> {
  const client = await MongoClient.connect(filled.uri);
  try {
    const { tasks } = collectionsOf(client.db(filled.dbName));
    const drawn = await tasks
      .aggregate<{ _id: ObjectId; deadline: string }>([
        { $sample: { size: Math.min(SAMPLED, Math.ceil(filled.count / 2)) } },
        { $project: { deadline: 1 } },
      ])
      .toArray();
    // The last page of a small database may not be full, so this takes the one before it at most.
    const deepPage = Math.min(DEEP_PAGE, Math.floor(filled.count / PAGE) - 1);
    const [before] = await tasks
      .find()
      .sort({ createdAt: -1, _id: -1 })
      .skip((deepPage - 1) * PAGE - 1)
      .limit(1)
      .toArray();
    if (!before) throw new Error("There are too few tasks for a deep page.");
    const today = calendarDate(new Date());
    return {
      ids: drawn.map(({ _id }) => _id.toHexString()),
      openIds: drawn.filter(({ deadline }) => deadline > today).map(({ _id }) => _id.toHexString()),
      tokens,
      deepPlace: placeOf(before, "newest"),
      deepPage,
    };
  } finally {
    await client.close();
  }
}
