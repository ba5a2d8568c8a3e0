import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { type Document, MongoClient } from "mongodb";
import { REPLICA_SET } from "../dev/mongo/replica-set.ts";
import type { Reaper } from "./reaper.ts";

/** One mongod of a set, on a data folder and port of its own. */
export type Member = {
  port: number;
  isRunning(): boolean;
  /** Starts the process; resolves when it takes connections. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGSTOP: it holds its connections and says nothing. */
  hang(): void;
  resume(): void;
  /** Runs an administrator's command on this very member. @throws if it does not answer within 5 s. */
  admin(command: Document): Promise<Document>;
};

const START_MS = 60_000;

/** Describes a member; nothing runs until `start`. */
export function member(options: { mongod: string; folder: string; port: number; reaper: Reaper }): Member {
  const { mongod, folder, port, reaper } = options;
  let child: ChildProcess | undefined;
  let gone = Promise.resolve();

  async function admin(command: Document): Promise<Document> {
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 5_000,
      connectTimeoutMS: 5_000,
      socketTimeoutMS: 15_000,
    });
    try {
      return await client.db("admin").command(command);
    } finally {
      await client.close();
    }
  }

  async function start(): Promise<void> {
    const running = spawn(mongod, mongodArgs(folder, port), {
      stdio: ["ignore", "pipe", "pipe"],
      // Ctrl-C reaches the launcher, which stops things in order.
      detached: process.platform !== "win32",
    });
    const log = createWriteStream(`${folder}.log`, { flags: "a" });
    running.stdout.pipe(log, { end: false });
    running.stderr.pipe(log, { end: false });
    child = running;
    const { pid } = running;
    if (pid !== undefined) reaper.watch(pid);
    gone = new Promise((resolve) => {
      running.once("exit", () => {
        if (pid !== undefined) reaper.forget(pid);
        child = undefined;
        resolve();
      });
    });
    const deadline = Date.now() + START_MS;
    for (;;) {
      if (!child) throw new Error(`mongod on port ${port} ended while it started, see ${folder}.log`);
      if (
        await admin({ ping: 1 }).then(
          () => true,
          () => false,
        )
      )
        return;
      if (Date.now() > deadline) throw new Error(`mongod on port ${port} did not start, see ${folder}.log`);
    }
  }

  return {
    port,
    isRunning: () => child !== undefined,
    start,
    async kill() {
      child?.kill("SIGKILL");
      await gone;
    },
    hang: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    admin,
  };
}

function mongodArgs(folder: string, port: number): string[] {
  const options = {
    port: String(port),
    bind_ip: "127.0.0.1",
    dbpath: folder,
    replSet: REPLICA_SET,
    oplogSize: "64",
    wiredTigerCacheSizeGB: "0.25",
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  // Fail points, with which connections are cut; and as in `server/deploy/compose.yaml`: a transaction that nobody will end
  // (its connection was cut, its instance killed) holds its documents no longer than this.
  const parameters = ["enableTestCommands=1", "transactionLifetimeLimitSeconds=10"];
  return [...args, ...parameters.flatMap((parameter) => ["--setParameter", parameter])];
}
