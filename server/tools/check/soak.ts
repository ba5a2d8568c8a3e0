import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DIE_WITH_LAUNCHER } from "../lib/child.ts";
import { withCloser } from "../lib/closer.ts";
import { readOptions } from "../lib/options.ts";
import { TOOLS } from "../lib/paths.ts";
import { run } from "../lib/run.ts";

/**
 * `npm run tool soak -- --runs 10 --load`: repeats `npm test`; with `--load`, every second run competes with a CPU load on all
 * cores. Prints after each run its last lines, or all of a failed one, and how often each test has failed; fails if any
 * did.
 */
export async function main(args: string[]): Promise<void> {
  const { runs, load } = readOptions("soak", args, { runs: 10, load: false });
  await withCloser(async (closer) => {
    const failures = new Map<string, number>();
    let green = 0;
    for (let number = 1; number <= runs; number++) {
      const isLoaded = load && number % 2 === 0;
      process.stdout.write(`\n━━━━ Run ${number} of ${runs}${isLoaded ? ", every core busy" : ""}\n`);
      const stopLoad = isLoaded ? startCpuLoad() : undefined;
      const started = performance.now();
      const test = [join(TOOLS, "bootstrap.mjs"), "test"];
      const { code, output } = await run(process.execPath, test, { signal: closer.signal });
      stopLoad?.();
      closer.signal.throwIfAborted();
      if (code === 0) green++;
      // Not the steps of a start, such as "✗ Test services   failed   1.2 s".
      for (const [, name = ""] of output.matchAll(/^ {2}✗ (?!.* failed +[\d.]+ s$)(.+)$/gm))
        failures.set(name, (failures.get(name) ?? 0) + 1);
      const often = [...failures].sort(([, a], [, b]) => b - a);
      const lines = [
        ...output
          .trim()
          .split("\n")
          .slice(code === 0 ? -5 : 0),
        `in ${Math.round((performance.now() - started) / 1_000)} s`,
        ...often.map(([name, times]) => `${times} × ${name}`),
        `${green} of ${number} runs without a failure`,
      ];
      process.stdout.write(`${lines.join("\n")}\n`);
    }
    process.exitCode = green === runs ? 0 : 1;
  });
}

// Yields regularly, so that it notices when its launcher is gone.
const BURN =
  "(function burn() { for (const end = Date.now() + 50; Date.now() < end; ); setImmediate(burn); })()";

/** Keeps every core busy. @returns a function that stops it. */
function startCpuLoad(): () => void {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, [...DIE_WITH_LAUNCHER, "--eval", BURN], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    }),
  );
  return () => {
    for (const child of children) child.kill("SIGKILL");
  };
}
