import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { DIE_WITH_LAUNCHER } from "./child.ts";
import { waitUntil } from "./wait-until.ts";

export interface RunResult {
  code: number;
  /** Standard output and error, interleaved. */
  output: string;
}

type RunOptions = Pick<SpawnOptions, "cwd" | "env"> & {
  /** Show the output live instead of collecting it. */
  show?: boolean;
  /** Ends the program and all its child processes. */
  signal?: AbortSignal | undefined;
};

/** How long a process may take to shut down before it is killed. */
const SHUTDOWN_MS = 10_000;

/**
 * Runs a program to its end. Never rejects: a program that cannot be started has code 127. After an abort it resolves once
 * all its processes have ended.
 */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
  const { show = false, signal, ...spawnOptions } = options;
  if (signal?.aborted) return Promise.resolve({ code: 1, output: "" });
  return new Promise((done) => {
    const shown = show ? "inherit" : "pipe";
    const child = spawn(command, args, {
      ...spawnOptions,
      stdio: ["ignore", shown, shown, ...(signal ? ["ipc" as const] : [])],
      // A process group of its own: a signal to the program alone would leave its children running.
      detached: signal !== undefined && process.platform !== "win32",
    });
    let ending: Promise<void> | undefined;
    const end = () => {
      ending = endGroup(child);
    };
    signal?.addEventListener("abort", end, { once: true });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("error", (error) => done({ code: 127, output: output + error.message }));
    child.once("close", async (code) => {
      signal?.removeEventListener("abort", end);
      await ending;
      done({ code: code ?? 1, output });
    });
  });
}

/** Ends a process group, by force after {@link SHUTDOWN_MS}. */
async function endGroup(leader: ChildProcess): Promise<void> {
  if (process.platform === "win32") return void leader.kill();
  signalGroup(leader, "SIGTERM");
  const isGone = () => !signalGroup(leader, 0);
  if (!(await waitUntil(isGone, { timeoutMs: SHUTDOWN_MS, everyMs: 50 }))) signalGroup(leader, "SIGKILL");
}

/** Signals every process of a group. @returns whether there was one left. */
function signalGroup({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Runs the executable of a package that `packageDir` depends on, with this Node; with a signal, it also ends with this process. */
export function runBin(
  packageDir: string,
  packageName: string,
  args: string[],
  options: RunOptions & { bin?: string } = {},
): Promise<RunResult> {
  const { bin, ...rest } = options;
  const nodeOptions = rest.signal ? DIE_WITH_LAUNCHER : [];
  return run(process.execPath, [...nodeOptions, binOf(packageDir, packageName, bin), ...args], {
    cwd: packageDir,
    ...rest,
  });
}

/** The script behind a package's executable, to run without a shell shim on every platform. */
export function binOf(packageDir: string, packageName: string, bin = packageName): string {
  const folder = join(packageDir, "node_modules", packageName);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const script = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[bin];
  if (!script) throw new Error(`${packageName} has no executable ${bin}`);
  return join(folder, script);
}

/** The path of a program on the PATH. */
export function which(program: string): string | undefined {
  const name = process.platform === "win32" ? `${program}.exe` : program;
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!folder) continue;
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
