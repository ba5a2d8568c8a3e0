import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DIE_WITH_LAUNCHER } from "../dev/lib/run.ts";
import { type Memory, SETUP, type Setup } from "./servers/child.ts";

export type Kind = "product" | "floor" | "plain";
/** `express` responds with the same bytes to everything. */
type ServerKind = Kind | "express";

/** A server in a process of its own. */
export type Contestant = {
  url: string;
  /** Begins to record its memory, which {@link memory} ends. */
  watchMemory(): Promise<void>;
  memory(): Promise<Memory>;
  /** Resident memory at this moment, in bytes. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
};

const RESPONSE_MS = 60_000;

/** Starts a server and waits until it listens. `NODE_OPTIONS=--cpu-prof` makes each of them write a CPU profile. */
export async function startContestant(kind: ServerKind, setup: Setup): Promise<Contestant> {
  const child = fork(join(import.meta.dirname, "servers", "start-server.mjs"), [kind], {
    env: { ...process.env, NODE_ENV: "production", [SETUP]: JSON.stringify(setup) },
    // The log is written as in production, and nobody reads it.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--expose-gc", ...DIE_WITH_LAUNCHER],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  const ask = async (question: "watch" | "memory" | "now"): Promise<Memory> => {
    const response = nextMessage<Memory>(child);
    child.send(question);
    return response;
  };
  try {
    const { port } = await nextMessage<{ port: number }>(child);
    return {
      url: `http://127.0.0.1:${port}`,
      watchMemory: async () => void (await ask("watch")),
      memory: () => ask("memory"),
      residentBytes: async () => (await ask("now")).nowBytes,
      stop,
    };
  } catch (error) {
    await stop();
    throw new Error(`The server "${kind}" does not start`, { cause: error });
  }
}

async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(RESPONSE_MS)]);
  const ended = once(child, "exit", { signal }).then(([code]) => Promise.reject(new Error(`exit ${code}`)));
  try {
    const [message] = await Promise.race([once(child, "message", { signal }), ended]);
    return message as T;
  } finally {
    settled.abort();
    ended.catch(() => undefined);
  }
}
