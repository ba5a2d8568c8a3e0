import { MongoClient } from "mongodb";
import { calendarDate } from "../src/contract/index.ts";
import { collectionsOf } from "../src/db/collections.ts";
import { placeOf, type TaskRow } from "../src/features/tasks/task-store.ts";
import type { Filled } from "./fill.ts";
import type { Sample } from "./rows.ts";
import { PAGE } from "./servers/setup.ts";

const DEEP_PAGE = 1_000;
const SAMPLED = 20_000;

/** Draws from a filled database what the requests name. */
export async function takeSample(filled: Filled, tokens: string[]): Promise<Sample> {
  const client = await MongoClient.connect(filled.uri);
  try {
    const { tasks } = collectionsOf(client.db(filled.dbName));
    const drawn = await tasks
      .aggregate<{ _id: TaskRow["_id"]; deadline: string }>([
        { $sample: { size: Math.min(SAMPLED, Math.ceil(filled.count / 2)) } },
        { $project: { deadline: 1 } },
      ])
      .toArray();
    const today = calendarDate(new Date());
    // The last page of a small database may not be full: the one before it is as deep as it gets.
    const deepPage = Math.min(DEEP_PAGE, Math.floor(filled.count / PAGE) - 1);
    const order = { createdAt: -1, _id: -1 } as const;
    const [before] = await tasks
      .find()
      .sort(order)
      .skip((deepPage - 1) * PAGE - 1)
      .limit(1)
      .toArray();
    if (!before) throw new Error("There are too few tasks for a deep page.");
    return {
      count: filled.count,
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
