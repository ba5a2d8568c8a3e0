import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Document } from "mongodb";
import { freePort } from "../dev/lib/ports.ts";
import { findMongod } from "../dev/mongo/binary.ts";
import { REPLICA_SET } from "../dev/mongo/replica-set.ts";
import { type Member, member } from "./member.ts";
import { startReaper } from "./reaper.ts";

/** Three members, any of which can be hurt. */
export type ReplicaSet = {
  uri: string;
  members: readonly Member[];
  /** The member that takes writes now. @throws if there is none within 30 s. */
  primary(): Promise<Member>;
  /** Waits until one member is primary and all others follow it, at most a minute. @returns milliseconds it took. */
  whole(): Promise<number>;
  stop(): Promise<void>;
};

/** As in `server/deploy/compose.yaml`: a primary that is silent for five seconds is replaced. */
const ELECTION_MS = 5_000;
const ELECTED_MS = 30_000;
const WHOLE_MS = 60_000;

/** Starts three members on free loopback ports and temporary folders, as one set. */
export async function startReplicaSet(progress: (text: string) => void): Promise<ReplicaSet> {
  const mongod = await findMongod(progress);
  const folder = await mkdtemp(join(tmpdir(), "tasklane-chaos-"));
  const reaper = startReaper();
  const members: Member[] = [];
  const stop = async () => {
    for (const each of members) each.resume();
    await Promise.all(members.map((each) => each.kill()));
    reaper.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    for (const name of ["a", "b", "c"]) {
      const data = join(folder, name);
      mkdirSync(data);
      const next = member({ mongod, folder: data, port: await freePort(), reaper });
      members.push(next);
      // One after another: Wine starts its own server with the first.
      await next.start();
    }
    await initiate(members);
    const set = {
      uri: uriOf(members),
      members,
      primary: () => primaryOf(members),
      whole: () => whole(members),
      stop,
    };
    await set.whole();
    return set;
  } catch (error) {
    await stop();
    throw error;
  }
}

function uriOf(members: readonly Member[]): string {
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join(",");
  return `mongodb://${hosts}/tasklane?replicaSet=${REPLICA_SET}`;
}

async function initiate(members: readonly Member[]): Promise<void> {
  const config = {
    _id: REPLICA_SET,
    members: members.map(({ port }, index) => ({ _id: index, host: `127.0.0.1:${port}` })),
    settings: { electionTimeoutMillis: ELECTION_MS },
  };
  await members[0]?.admin({ replSetInitiate: config });
}

async function primaryOf(members: readonly Member[]): Promise<Member> {
  const deadline = Date.now() + ELECTED_MS;
  while (Date.now() < deadline) {
    const answers = await Promise.all(members.map(saysPrimary));
    const found = members[answers.indexOf(true)];
    if (found) return found;
    await sleep(100);
  }
  throw new Error("no member became primary within 30 s");
}

async function saysPrimary(each: Member): Promise<boolean> {
  if (!each.isRunning()) return false;
  const hello = await each.admin({ hello: 1 }).catch(() => undefined);
  return hello?.["isWritablePrimary"] === true;
}

async function whole(members: readonly Member[]): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < WHOLE_MS) {
    const states = await Promise.all(members.map((each) => stateOf(each)));
    const primaries = states.filter((state) => state === "PRIMARY").length;
    const secondaries = states.filter((state) => state === "SECONDARY").length;
    if (primaries === 1 && secondaries === members.length - 1) return Math.round(performance.now() - started);
    await sleep(250);
  }
  throw new Error("the replica set was not whole within a minute");
}

async function stateOf(each: Member): Promise<string | undefined> {
  if (!each.isRunning()) return undefined;
  const status: Document | undefined = await each.admin({ replSetGetStatus: 1 }).catch(() => undefined);
  const self = (status?.["members"] as Document[] | undefined)?.find((one) => one["self"]);
  return self?.["stateStr"] as string | undefined;
}
