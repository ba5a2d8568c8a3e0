import { MongoClient } from "mongodb";
import type { DatabaseAddress } from "../../src/db/client.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import {
  FINDINGS,
  type Finding,
  MOST_OFFENDERS,
  type Verdict,
  verifyBids,
} from "../../src/db/verify-bids.ts";
import { openForReading } from "../backup/target.ts";
import { Closer } from "../lib/closer.ts";
import { readSettings } from "../lib/settings.ts";

const MEANING: Record<Finding, string> = {
  tasksWithWrongCount: "tasks whose bidsCount is not the number of their bids",
  bidsWithoutTask: "bids without a task",
  secondBids: "second bids of one person on one task",
  awardedTasksWithoutAward: "awarded or completed tasks without an award",
  awardsWithoutTheirBid: "awards whose bid does not exist, or is not awarded",
  awardsOnOpenTasks: "open tasks with an award",
  bidsAwardedButNotByTheirTask: "awarded bids that their task was not awarded to",
};

/**
 * `npm run verify`: checks on the stored data that bids, their counts and awards agree. Reads the database of MONGODB_URI,
 * else the embedded one, running or not. Exit code 1, with the ids of what is wrong, if anything is.
 */
export async function main(): Promise<void> {
  const closer = new Closer();
  closer.closeOnSignal(1);
  try {
    const address = await openForReading(readSettings(), closer, "npm run verify");
    const started = performance.now();
    const verdict = await verify(address);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    process.stdout.write(`\n${describeVerdict(verdict)}\n\n  ${seconds} s\n`);
    process.exitCode = isSound(verdict) ? 0 : 1;
  } finally {
    await closer.close();
  }
}

/** The counts, and what is wrong, as text. */
export function describeVerdict({ tasks, bids, awards, offenders }: Verdict): string {
  const number = (count: number) => count.toLocaleString("en-US");
  const lines = [
    `  ${number(tasks)} tasks, ${number(bids)} bids, ${number(awards)} awarded or completed tasks`,
    "",
  ];
  for (const finding of FINDINGS) {
    const ids = offenders[finding];
    const count = ids.length === MOST_OFFENDERS ? `${ids.length} or more` : String(ids.length);
    lines.push(`  ${ids.length === 0 ? "✓" : "✗"} ${count} ${MEANING[finding]}`);
    for (const id of ids) lines.push(`      ${id}`);
  }
  return lines.join("\n");
}

/** Whether nothing is wrong. */
export function isSound({ offenders }: Verdict): boolean {
  return FINDINGS.every((finding) => offenders[finding].length === 0);
}

async function verify({ uri, dbName }: DatabaseAddress): Promise<Verdict> {
  const client = new MongoClient(uri);
  try {
    return await verifyBids(collectionsOf(client.db(dbName)));
  } finally {
    await client.close();
  }
}
