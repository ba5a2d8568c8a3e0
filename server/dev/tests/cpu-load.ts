import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { DIE_WITH_LAUNCHER } from "../lib/run.ts";

// Yields now and then, or it would not hear that its launcher is gone.
const BURN =
  "(function burn() { for (const end = Date.now() + 50; Date.now() < end; ); setImmediate(burn); })()";

/**
 * Keeps every core busy with something else, as other people's work on the same machine does.
 * @returns a function that ends it.
 */
export function startCpuLoad(): () => void {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, [...DIE_WITH_LAUNCHER, "--eval", BURN], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    }),
  );
  return () => {
    for (const child of children) child.kill("SIGKILL");
  };
}
