import { parseArgs } from "node:util";
import { runBench } from "../../bench/run-bench.ts";
import { UserError } from "../lib/user-error.ts";

const HELP =
  "npm run bench -- [--tasks 10000,100000] [--rounds 7] [--seconds 1] [--connections 10] [--only 'Task by id'] [--no-client]";
const MOST_TASKS = 5_000_000;

/** `npm run bench`: measures ours, the floor and the plain way side by side, and prints the table for the README. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      tasks: { type: "string", default: "10000,100000" },
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "1" },
      connections: { type: "string", default: "10" },
      only: { type: "string", default: "" },
      client: { type: "boolean", default: true },
    },
  });
  const sizes = values.tasks.split(",").map((text) => numberOf("tasks", text, 1_000, MOST_TASKS));
  const report = await runBench(
    {
      // One size alone is measured beside the usual smallest one: growth needs two.
      sizes: [...new Set(sizes.length === 1 ? [10_000, ...sizes] : sizes)],
      rounds: numberOf("rounds", values.rounds, 1, 50),
      seconds: numberOf("seconds", values.seconds, 1, 60),
      connections: numberOf("connections", values.connections, 1, 200),
      only: values.only,
      client: values.client,
    },
    (text) => process.stderr.write(`  · ${text}\n`),
  );
  process.stdout.write(`\n${report}\n`);
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UserError(`--${name} is "${text}": use whole numbers from ${least} to ${most}.\n${HELP}`);
}
