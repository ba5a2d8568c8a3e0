import { MongoClient } from "mongodb";
import { collectionsOf } from "../../src/db/collections.ts";
import { withCloser } from "../lib/closer.ts";
import { readSettings } from "../lib/settings.ts";
import {
  conversationsWithWrongCount,
  type FileFinding,
  type Finding,
  MAX_OFFENDERS,
  strayFiles,
  verifyBids,
} from "../lib/verify-data.ts";
import { openForReading } from "./target.ts";

const MEANING: Record<Finding | FileFinding | "conversationsWithWrongCount", string> = {
  tasksWithWrongCount: "tasks whose bidsCount is not the number of their bids",
  bidsWithoutTask: "bids without a task",
  secondBids: "repeated bids of one person on one task",
  awardedTasksWithoutAward: "awarded, delivered or completed tasks without an award",
  awardsWithoutTheirBid: "awards whose bid does not exist or is not awarded",
  awardsOnOpenTasks: "open tasks with an award",
  deliveriesOutOfPlace: "delivered tasks without their delivery, or others with one",
  conversationsWithWrongCount: "conversations whose count is not the number of their messages",
  filesWithoutContent: "files whose content is missing",
  contentWithoutFile: "contents without a file",
  partsWithoutUpload: "parts of uploads that are not pending",
};

/**
 * `npm run verify`: checks in the database that bids, their counts and awards agree, and that no message or file is lost.
 * Files in an S3 storage (S3_URL) are not looked at. Reads MONGODB_URI, else the embedded database whether it is running or
 * not. Exits with code 1 and the ids of whatever is wrong.
 */
export async function main(): Promise<void> {
  await withCloser(async (closer) => {
    const { uri, dbName } = await openForReading(readSettings(), closer, "npm run verify");
    const started = performance.now();
    const client = new MongoClient(uri);
    closer.add(() => client.close());
    const collections = collectionsOf(client.db(dbName));
    const { tasks, bids, awards, offenders } = await verifyBids(collections);
    const { partsWithoutUpload, ...content } = await strayFiles(collections);
    const found: Record<string, readonly string[]> = {
      ...offenders,
      conversationsWithWrongCount: await conversationsWithWrongCount(collections),
      ...(!process.env["S3_URL"] && content),
      partsWithoutUpload,
    };
    const number = (count: number) => count.toLocaleString("en-US");
    const lines = Object.entries(MEANING).flatMap(([finding, meaning]) =>
      found[finding] ? describe(meaning, found[finding]) : [],
    );
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    process.stdout.write(
      `\n  ${number(tasks)} tasks, ${number(bids)} bids, ${number(awards)} awarded tasks\n\n` +
        `${lines.join("\n")}\n\n  ${seconds} s\n`,
    );
    process.exitCode = Object.values(found).some((ids) => ids.length > 0) ? 1 : 0;
  });
}

function describe(meaning: string, ids: readonly string[]): string {
  const count = ids.length === MAX_OFFENDERS ? `${ids.length} or more` : String(ids.length);
  const found = ids.map((id) => `\n      ${id}`).join("");
  return `  ${ids.length === 0 ? "✓" : "✗"} ${count} ${meaning}${found}`;
}
