import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { MongoClient } from "mongodb";
import { ALL_ENDPOINTS } from "../../src/contract/endpoints.ts";
import { withCloser } from "../lib/closer.ts";
import { UserError } from "../lib/user-error.ts";
import { wholeNumber } from "../lib/whole-number.ts";
import { ensureTestServices } from "../start/test-services.ts";
import { type FuzzResult, runFuzz } from "./run-fuzz.ts";

const USAGE = "npm run tool fuzz -- [--seed 1] [--requests 20000] [--only listTasks|repeat|crowd]";
/** More addresses than an instance stores. */
const PHASES = { repeats: 300, addresses: 60_000 };

/**
 * `npm run tool fuzz`: sends hostile requests to every endpoint and fails if anything breaks, leaks or is stored that must not
 * be.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      requests: { type: "string", default: "20000" },
      only: { type: "string", default: "" },
    },
  });
  const seed = wholeNumber("seed", values.seed, { min: 0, max: 2 ** 30, usage: USAGE });
  const requests = wholeNumber("requests", values.requests, { min: 1, max: 1_000_000, usage: USAGE });
  const { only } = values;
  const isEndpoint = ALL_ENDPOINTS.some(({ name }) => name.toLowerCase().includes(only.toLowerCase()));
  if (!isEndpoint && !["repeat", "crowd"].some((phase) => phase.includes(only)))
    throw new UserError(`No endpoint or phase is called "${only}".\n${USAGE}`);
  const progress = (text: string) => void process.stderr.write(`  · ${text}\n`);
  await withCloser(async (closer) => {
    const services = await closer.track(ensureTestServices(progress), (started) => started.stop());
    const { authEmulatorHost: emulatorHost, projectId } = services;
    const freshDatabase = () => {
      const database = { uri: services.mongoUri, dbName: `fuzz-${randomUUID()}` };
      closer.add(() => dropDatabase(database));
      return { database, emulatorHost, projectId };
    };
    progress(`seed ${seed}`);
    const result = await runFuzz({ seed, requests, ...PHASES, ...freshDatabase(), only }, progress);
    const { problems } = result;
    process.stdout.write(`\nSeed ${seed}.\n\n${reportOf(result)}\n\n`);
    if (problems.length > 0) throw new UserError(`${problems.length} problems:\n\n${problems.join("\n\n")}`);
    process.stdout.write("Nothing broke.\n");
  });
}

/** The figures as Markdown. */
function reportOf({ statuses, sent, seconds, stored, guarded, problems }: FuzzResult): string {
  const columns = [...new Set([...statuses.values()].flatMap((counts) => [...counts.keys()]))].sort();
  const rows = [...statuses].sort(([a], [b]) => a.localeCompare(b));
  const total = (status: number) => rows.reduce((sum, [, counts]) => sum + (counts.get(status) ?? 0), 0);
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  const matching = (pattern: RegExp) => problems.filter((problem) => pattern.test(problem)).length;
  const documents = Object.entries(stored).map(([name, count]) => `${count} ${name}`);
  return [
    line(["Endpoint", "requests", ...columns]),
    line(["---", ...["requests", ...columns].map(() => "---:")]),
    ...rows.map(([name, counts]) => {
      const requests = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return line([name, requests, ...columns.map((status) => counts.get(status) ?? "")]);
    }),
    line(["all", sent, ...columns.map(total)]),
    "",
    `- ${sent} requests in ${seconds.toFixed(0)} s (${Math.round(sent / seconds)}/s), ${problems.length} problems`,
    `- Stored at the end: ${documents.join(", ")}; violating a schema: ${matching(/violates/)}`,
    `- Guarded documents of people who sent nothing: ${guarded}, changed: ${matching(/^changed/)}`,
  ].join("\n");
}

async function dropDatabase({ uri, dbName }: { uri: string; dbName: string }): Promise<void> {
  const client = new MongoClient(uri);
  try {
    await client.db(dbName).dropDatabase();
  } finally {
    await client.close();
  }
}
