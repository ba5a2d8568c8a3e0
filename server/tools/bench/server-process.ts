import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Closer } from "../lib/closer.ts";
import { DIE_WITH_LAUNCHER } from "../lib/run.ts";
import { type Memory, SETUP, type Setup } from "./servers/child.ts";

export const KINDS = ["product", "floor", "plain"] as const;
export type Kind = (typeof KINDS)[number];
/** `express` sends the same bytes in every response. */
type ServerKind = Kind | "express";

/** A server in its own process. */
export type ServerProcess = {
  url: string;
  /** Starts recording its memory, until {@link memory} is called. */
  watchMemory(): Promise<void>;
  memory(): Promise<Memory>;
  /** The current resident memory, in bytes. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
};

const RESPONSE_MS = 60_000;

/** Starts a server, waits until it listens, and stops it with the closer. `NODE_OPTIONS=--cpu-prof` writes its CPU profile. */
export function startServerProcess(kind: ServerKind, setup: Setup, closer: Closer): Promise<ServerProcess> {
  return closer.track(launch(kind, setup), (server) => server.stop());
}

async function launch(kind: ServerKind, setup: Setup): Promise<ServerProcess> {
  const child = fork(join(import.meta.dirname, "servers", "start-server.mjs"), [kind], {
    env: { ...process.env, NODE_ENV: "production", [SETUP]: JSON.stringify(setup) },
    // The server writes its log as in production; nothing reads it.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--expose-gc", ...DIE_WITH_LAUNCHER],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
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
    throw new Error(`The server "${kind}" failed to start`, { cause: error });
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
