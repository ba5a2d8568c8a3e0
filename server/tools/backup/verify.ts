import { MongoClient } from "mongodb";
import { collectionsOf } from "../../src/db/collections.ts";
import { withCloser } from "../lib/closer.ts";
import { readSettings } from "../lib/settings.ts";
import { FINDINGS, type Finding, MAX_OFFENDERS, meaningOf, verifyData } from "../lib/verify-data.ts";
import { openForReading } from "./target.ts";

/** With an S3 storage (S3_URL), the content of files is not in the database. */
const IN_DATABASE: readonly Finding[] = ["filesWithoutContent", "contentWithoutFile"];

/**
 * `npm run verify`: checks in the database that bids, their counts and awards agree, that people's ratings and jobs are
 * right, and that no message or file is lost.
 * Reads MONGODB_URI, else the embedded database whether it is running or not. Exits with code 1 and the ids of whatever is
 * wrong.
 */
export async function main(): Promise<void> {
  await withCloser(async (closer) => {
    const { uri, dbName } = await openForReading(readSettings(), closer, "npm run verify");
    const started = performance.now();
    await using client = new MongoClient(uri);
    const db = client.db(dbName);
    const { tasks, bids } = collectionsOf(db);
    const checked = FINDINGS.filter((finding) => !process.env["S3_URL"] || !IN_DATABASE.includes(finding));
    const offenders = await verifyData(db, checked);
    const counts = [
      await tasks.countDocuments(),
      await bids.countDocuments(),
      await tasks.countDocuments({ state: { $in: ["awarded", "delivered", "completed"] } }),
    ].map((count) => count.toLocaleString("en-US"));
    const lines = [
      `${counts[0]} tasks, ${counts[1]} bids, ${counts[2]} awarded tasks\n`,
      ...checked.map((finding) => describe(finding, offenders[finding] ?? [])),
      `\n  ${((performance.now() - started) / 1_000).toFixed(1)} s`,
    ];
    process.stdout.write(`\n  ${lines.join("\n")}\n`);
    process.exitCode = Object.keys(offenders).length > 0 ? 1 : 0;
  });
}

function describe(finding: Finding, ids: readonly string[]): string {
  const count = ids.length === MAX_OFFENDERS ? `${ids.length} or more` : String(ids.length);
  const found = ids.map((id) => `\n      ${id}`).join("");
  return `  ${ids.length === 0 ? "✓" : "✗"} ${count} ${meaningOf(finding)}${found}`;
}
