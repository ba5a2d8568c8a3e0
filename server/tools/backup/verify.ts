import { MongoClient } from "mongodb";
import type { DatabaseAddress } from "../../src/db/client.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import {
  conversationsWithWrongCount,
  FILE_FINDINGS,
  FINDINGS,
  type FileFinding,
  type Finding,
  MAX_OFFENDERS,
  strayFiles,
  type Verdict,
  verifyBids,
} from "../../src/db/verify-data.ts";
import { withCloser } from "../lib/closer.ts";
import { readSettings } from "../lib/settings.ts";
import { openForReading } from "./target.ts";

const MEANING: Record<Finding, string> = {
  tasksWithWrongCount: "tasks whose bidsCount is not the number of their bids",
  bidsWithoutTask: "bids without a task",
  secondBids: "repeated bids of one person on one task",
  awardedTasksWithoutAward: "awarded, delivered or completed tasks without an award",
  awardsWithoutTheirBid: "awards whose bid does not exist or is not awarded",
  awardsOnOpenTasks: "open tasks with an award",
  deliveriesOutOfPlace: "delivered tasks without their delivery, or others with one",
};

const FILE_MEANING: Record<FileFinding, string> = {
  filesWithoutContent: "files whose content is missing",
  contentWithoutFile: "contents without a file",
  partsWithoutUpload: "parts of uploads that are not pending",
};

const CONVERSATIONS = "conversations whose count is not the number of their messages";

/**
 * `npm run verify`: checks in the database that bids, their counts and awards agree, and that no message or file is lost; files in an S3 storage (S3_URL) are not
 * looked at. Reads
 * MONGODB_URI, else the embedded database whether it is running or not. Exits with code 1 and the ids of whatever is wrong.
 */
export async function main(): Promise<void> {
  await withCloser(async (closer) => {
    const address = await openForReading(readSettings(), closer, "npm run verify");
    const started = performance.now();
    const { verdict, conversations, files } = await verify(address);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const strays = FILE_FINDINGS.filter(
      (finding) => finding === "partsWithoutUpload" || !process.env["S3_URL"],
    );
    const lines = [
      describeVerdict(verdict),
      describe(CONVERSATIONS, conversations),
      ...strays.map((finding) => describe(FILE_MEANING[finding], files[finding])),
    ].join("\n");
    process.stdout.write(`\n${lines}\n\n  ${seconds} s\n`);
    process.exitCode =
      isSound(verdict) && conversations.length === 0 && strays.every((finding) => files[finding].length === 0)
        ? 0
        : 1;
  });
}

function describeVerdict({ tasks, bids, awards, offenders }: Verdict): string {
  const number = (count: number) => count.toLocaleString("en-US");
  const lines = [`  ${number(tasks)} tasks, ${number(bids)} bids, ${number(awards)} awarded tasks`, ""];
  for (const finding of FINDINGS) {
    lines.push(describe(MEANING[finding], offenders[finding]));
  }
  return lines.join("\n");
}

function describe(meaning: string, ids: readonly string[]): string {
  const count = ids.length === MAX_OFFENDERS ? `${ids.length} or more` : String(ids.length);
  const found = ids.map((id) => `\n      ${id}`).join("");
  return `  ${ids.length === 0 ? "✓" : "✗"} ${count} ${meaning}${found}`;
}

function isSound({ offenders }: Verdict): boolean {
  return FINDINGS.every((finding) => offenders[finding].length === 0);
}

async function verify({ uri, dbName }: DatabaseAddress) {
  const client = new MongoClient(uri);
  try {
    const collections = collectionsOf(client.db(dbName));
    return {
      verdict: await verifyBids(collections),
      conversations: await conversationsWithWrongCount(collections),
      files: await strayFiles(collections),
    };
  } finally {
    await client.close();
  }
}
