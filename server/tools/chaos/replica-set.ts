import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Document, MongoClient } from "mongodb";
import type { MongoMemoryServer } from "mongodb-memory-server-core";
import { identify } from "../lib/lock.ts";
import { freePort } from "../lib/ports.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { findMongod } from "../start/mongo/find-mongod.ts";
import { REPLICA_SET } from "../start/mongo/replica-set.ts";
import { lastStartFile, launchMongod, memoryFolder, temporaryFolder } from "../start/mongo/start-mongo.ts";
import { createLink, type Link } from "./network.ts";

/** Three members, each of which can be made to fail. */
export type ReplicaSet = Awaited<ReturnType<typeof startReplicaSet>>;
type Member = ReturnType<typeof createMember>;

// As in `server/deploy/compose.yaml`: a primary that is silent for five seconds is replaced.
const ELECTION_MS = 5_000;
// enableTestCommands allows fail points, which cut connections. The rest is as in compose.yaml, with little memory.
const ARGS = [
  ...["--oplogSize", "64", "--wiredTigerCacheSizeGB", "0.25"],
  // Its links have to read who sends.
  ...["--networkMessageCompressors", "disabled"],
  ...["--setParameter", "enableTestCommands=1", "--setParameter", "transactionLifetimeLimitSeconds=10"],
];

/**
 * Starts three members as one set, on free loopback ports and with temporary folders.
 * @param logs the folder for what they print.
 */
export async function startReplicaSet(logs: string, progress: (text: string) => void) {
  const mongod = await findMongod(progress);
  const folder = await temporaryFolder(await memoryFolder());
  // So that the next start removes the folder if this process is killed.
  writeFileSync(lastStartFile(folder), JSON.stringify(identify(process.pid)));
  const members: Member[] = [];
  const links: Link[] = [];
  let crashes = 0;
  const hosts = () => links.map(({ port }) => `127.0.0.1:${port}`);

  async function stop(): Promise<void> {
    for (const each of members) each.signal("SIGCONT");
    for (const each of links) each.close();
    await Promise.all(members.map((each) => each.kill()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** The current primary. @throws if there is none within 30 s. */
  async function primary(): Promise<Member> {
    let found: Member | undefined;
    const elected = async () => {
      found = members[(await statesOf(members)).indexOf("PRIMARY")];
      return found !== undefined;
    };
    await waitUntil(elected, { timeoutMs: 30_000 });
    if (!found) throw new Error("No member became primary within 30 s.");
    return found;
  }

  /**
   * Waits until one member is primary and the others follow it. One that does not respond without having been made to, as
   * happens under Wine, is started again, as a supervisor does.
   * @throws if the set is not complete a minute later.
   */
  async function recovered(): Promise<void> {
    let states: string[] = [];
    const complete = async () => {
      states = await statesOf(members);
      return states.toSorted().join() === "PRIMARY,SECONDARY,SECONDARY";
    };
    if (await waitUntil(complete, { timeoutMs: 30_000, everyMs: 250 })) return;
    for (const member of members.filter((_, index) => states[index] === SILENT)) {
      crashes += 1;
      await member.kill();
      await member.start();
    }
    if (await waitUntil(complete, { timeoutMs: 60_000, everyMs: 250 })) return;
    throw new Error(`The replica set did not become complete: ${states.join(", ")}.`);
  }

  try {
    for (const name of ["a", "b", "c"]) {
      const dbPath = join(folder, name);
      mkdirSync(dbPath);
      const port = await freePort();
      const link = await createLink(port, hosts);
      links.push(link);
      members.push(
        createMember({ mongod, dbPath, port, link, links, log: join(logs, `mongod-${name}.log`) }),
      );
    }
    const [first, ...others] = members as [Member, ...Member[]];
    // Wine starts its own server with the first.
    await first.start();
    await Promise.all(others.map((each) => each.start()));
    const config = {
      _id: REPLICA_SET,
      members: hosts().map((host, _id) => ({ _id, host })),
      settings: { electionTimeoutMillis: ELECTION_MS },
    };
    await first.command({ replSetInitiate: config });
    await recovered();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    uri: `mongodb://${hosts().join(",")}/tasklane?replicaSet=${REPLICA_SET}`,
    primary,
    recovered,
    /** The number of elections so far. */
    term: async () => Number((await (await primary()).command({ replSetGetStatus: 1 }))["term"]),
    /** How often a member was started again that had crashed or hung by itself. */
    crashes: () => crashes,
    [Symbol.asyncDispose]: stop,
  };
}

type Place = {
  mongod: string;
  dbPath: string;
  port: number;
  link: Link;
  links: readonly Link[];
  log: string;
};

/** One mongod of a set, with its own data folder, and the network link by which others reach it. */
function createMember({ mongod, dbPath, port, link, links, log }: Place) {
  let server: MongoMemoryServer | undefined;
  const child = () => server?.instanceInfo?.instance.mongodProcess;
  return {
    /** Resolves when it accepts connections. */
    async start() {
      server = await launchMongod({ mongod, dbPath, port, args: ARGS });
      child()?.stdout?.pipe(createWriteStream(log, { flags: "a" }));
    },
    /** kill -9. */
    async kill() {
      const running = child();
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const gone = once(running, "exit");
      running.kill("SIGKILL");
      await gone;
    },
    /** While it is stopped, it keeps its connections but does not respond. */
    signal: (signal: "SIGSTOP" | "SIGCONT") => void child()?.kill(signal),
    /** Cuts it off from the other members and from all clients, in both directions, until `rejoin`. */
    isolate() {
      link.cut();
      // Heartbeats say who sent them.
      for (const each of links) if (each !== link) each.cut(`127.0.0.1:${link.port}`);
    },
    rejoin() {
      for (const each of links) each.mend();
    },
    /** Runs a command directly on this member. @throws if it does not respond in time. */
    async command(command: Document): Promise<Document> {
      await using client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
        serverSelectionTimeoutMS: 5_000,
        connectTimeoutMS: 5_000,
        socketTimeoutMS: 15_000,
      });
      return await client.db("admin").command(command);
    },
  };
}

const SILENT = "no response";

/** Each member's own state, in the order of the members. */
function statesOf(members: readonly Member[]): Promise<string[]> {
  return Promise.all(
    members.map(async (each) => {
      const status = await each.command({ replSetGetStatus: 1 }).catch(() => undefined);
      const self = (status?.["members"] as Document[] | undefined)?.find((one) => one["self"]);
      return String(self?.["stateStr"] ?? SILENT);
    }),
  );
}
