import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Document, MongoClient } from "mongodb";
import type { MongoMemoryServer } from "mongodb-memory-server-core";
import { freePort } from "../lib/ports.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { findMongod } from "../start/mongo/find-mongod.ts";
import { REPLICA_SET } from "../start/mongo/replica-set.ts";
import { launchMongod } from "../start/mongo/start-mongo.ts";
import { createLink, type Link } from "./network.ts";

/** One mongod of a set, with its own data folder, and the network link by which others reach it. */
type Member = {
  /** Starts the process; resolves when it accepts connections. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its connections but does not respond. */
  hang(): void;
  resume(): void;
  /** Cuts it off from the other members and from all clients, in both directions, until `rejoin`. */
  isolate(): void;
  rejoin(): void;
  /** Runs a command directly on this member. @throws if it does not respond in time. */
  command(command: Document, database?: string): Promise<Document>;
};

/** Three members, each of which can be made to fail. */
export type ReplicaSet = {
  uri: string;
  members: readonly Member[];
  /** The current primary. @throws if there is none within 30 s. */
  primary(): Promise<Member>;
  /** Waits until one member is primary and the others follow it. @throws after a minute. */
  recovered(): Promise<void>;
  /** The number of elections so far. */
  term(): Promise<number>;
  /** Whether all members hold the same tasks, bids and messages, by MongoDB's own hash of each collection. */
  agrees(): Promise<boolean>;
  stop(): Promise<void>;
};

// As in `server/deploy/compose.yaml`: a primary that is silent for five seconds is replaced.
const ELECTION_MS = 5_000;
// enableTestCommands allows fail points, which cut connections. The rest is as in compose.yaml, with little memory.
const ARGS = [
  ...["--oplogSize", "64", "--wiredTigerCacheSizeGB", "0.25"],
  // Its links have to read who sends.
  ...["--networkMessageCompressors", "disabled"],
  ...["--setParameter", "enableTestCommands=1", "--setParameter", "transactionLifetimeLimitSeconds=10"],
];

/** Starts three members as one set, on free loopback ports and with temporary folders. */
export async function startReplicaSet(progress: (text: string) => void): Promise<ReplicaSet> {
  const mongod = await findMongod(progress);
  const folder = await mkdtemp(join(tmpdir(), "tasklane-chaos-"));
  const members: Member[] = [];
  const links: Link[] = [];
  const hosts = () => links.map(({ port }) => `127.0.0.1:${port}`);
  const stop = async () => {
    for (const each of members) each.resume();
    for (const each of links) each.close();
    await Promise.all(members.map((each) => each.kill()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    for (const name of ["a", "b", "c"]) {
      const dbPath = join(folder, name);
      mkdirSync(dbPath);
      const port = await freePort();
      const link = await createLink(port, "127.0.0.1", hosts);
      const added = member({ mongod, dbPath, port, link, links });
      links.push(link);
      members.push(added);
      // One after another, because Wine starts its own server with the first.
      await added.start();
    }
    const set: ReplicaSet = {
      uri: `mongodb://${hosts().join(",")}/tasklane?replicaSet=${REPLICA_SET}`,
      members,
      primary: () => primaryOf(members),
      recovered: () => recovered(members),
      async term() {
        const { term } = await (await set.primary()).command({ replSetGetStatus: 1 });
        return Number(term);
      },
      agrees: () => agree(members),
      stop,
    };
    const config = {
      _id: REPLICA_SET,
      members: hosts().map((host, _id) => ({ _id, host })),
      settings: { electionTimeoutMillis: ELECTION_MS },
    };
    await members[0]?.command({ replSetInitiate: config });
    await set.recovered();
    return set;
  } catch (error) {
    await stop();
    throw error;
  }
}

type Place = { mongod: string; dbPath: string; port: number; link: Link; links: readonly Link[] };

function member({ mongod, dbPath, port, link, links }: Place): Member {
  let server: MongoMemoryServer | undefined;
  const child = () => server?.instanceInfo?.instance.mongodProcess;
  const others = () => links.filter((each) => each !== link);
  return {
    async start() {
      server = await launchMongod({ mongod, dbPath, port, args: ARGS });
    },
    async kill() {
      const running = child();
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const gone = once(running, "exit");
      running.kill("SIGKILL");
      await gone;
    },
    hang: () => void child()?.kill("SIGSTOP"),
    resume: () => void child()?.kill("SIGCONT"),
    isolate() {
      link.cut();
      // Heartbeats say who sent them.
      for (const each of others()) each.cut(`127.0.0.1:${link.port}`);
    },
    rejoin() {
      for (const each of links) each.mend();
    },
    async command(command, database = "admin") {
      const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
        serverSelectionTimeoutMS: 5_000,
        connectTimeoutMS: 5_000,
        socketTimeoutMS: 15_000,
      });
      try {
        return await client.db(database).command(command);
      } finally {
        await client.close();
      }
    },
  };
}

async function primaryOf(members: readonly Member[]): Promise<Member> {
  let primary: Member | undefined;
  const elected = async () => {
    const states = await statesOf(members);
    primary = members[states.indexOf("PRIMARY")];
    return primary !== undefined;
  };
  await waitUntil(elected, { timeoutMs: 30_000 });
  if (!primary) throw new Error("No member became primary within 30 s.");
  return primary;
}

async function recovered(members: readonly Member[]): Promise<void> {
  const complete = async () => {
    const states = (await statesOf(members)).sort();
    return states.join() === "PRIMARY,SECONDARY,SECONDARY";
  };
  if (await waitUntil(complete, { timeoutMs: 60_000, everyMs: 250 })) return;
  throw new Error("The replica set did not become complete within a minute.");
}

const COMPARED = ["tasks", "bids", "conversations", "messages"];

async function agree(members: readonly Member[]): Promise<boolean> {
  const hashes = new Set<string>();
  for (const each of members) {
    const { collections } = await each.command({ dbHash: 1, collections: COMPARED }, "tasklane");
    if (COMPARED.some((name) => !collections[name])) return false;
    hashes.add(JSON.stringify(COMPARED.map((name) => collections[name])));
  }
  return hashes.size === 1;
}

/** Each member's own state, in the order of the members. */
function statesOf(members: readonly Member[]): Promise<string[]> {
  return Promise.all(
    members.map(async (each) => {
      const status = await each.command({ replSetGetStatus: 1 }).catch(() => undefined);
      const self = (status?.["members"] as Document[] | undefined)?.find((one) => one["self"]);
      return String(self?.["stateStr"]);
    }),
  );
}
