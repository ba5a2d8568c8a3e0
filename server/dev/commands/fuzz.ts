import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { MongoClient } from "mongodb";
import { fuzzReport } from "../../fuzz/report.ts";
import { runFuzz } from "../../fuzz/run-fuzz.ts";
import { Closer } from "../lib/closer.ts";
import { UserError } from "../lib/user-error.ts";
import { ensureTestServices } from "../test-services.ts";

/** More addresses than an instance remembers. */
const PHASES = { repeats: 300, addresses: 60_000 };

const HELP = "npm run fuzz -- [--seed 1] [--requests 20000] [--only listTasks|repeat|crowd]";

/** `npm run fuzz`: sends every endpoint what nobody should, and fails if anything breaks, leaks or gets stored by it. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      requests: { type: "string", default: "20000" },
      only: { type: "string", default: "" },
    },
  });
  const seed = numberOf("seed", values.seed, 0, 2 ** 31);
  const requests = numberOf("requests", values.requests, 1, 1_000_000);
  const closer = new Closer();
  closer.closeOnSignal(1);
  const say = (text: string) => void process.stderr.write(`  · ${text}\n`);
  try {
    const services = await closer.track(ensureTestServices(say), (started) => started.stop());
    const database = { uri: services.mongoUri, dbName: `fuzz-${randomUUID()}` };
    closer.add(() => dropDatabase(database));
    say(`seed ${seed}`);
    const { authEmulatorHost: emulatorHost, projectId } = services;
    const result = await runFuzz(
      { seed, requests, ...PHASES, database, emulatorHost, projectId, only: values.only },
      say,
    );
    process.stdout.write(`\nSeed ${seed}.\n\n${fuzzReport(result)}\n\n`);
    const { problems } = result;
    if (problems.length > 0) throw new UserError(`${problems.length} problems:\n\n${problems.join("\n\n")}`);
    process.stdout.write("Nothing broke.\n");
  } finally {
    await closer.close();
  }
}

async function dropDatabase({ uri, dbName }: { uri: string; dbName: string }): Promise<void> {
  const client = new MongoClient(uri);
  try {
    await client.db(dbName).dropDatabase();
  } finally {
    await client.close();
  }
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UserError(`--${name} is "${text}": use a whole number from ${least} to ${most}.\n${HELP}`);
}
