import { setTimeout as sleep } from "node:timers/promises";
import type { Document } from "mongodb";
import { anyOf } from "../lib/random.ts";
import type { Instance } from "./instance.ts";
import type { ReplicaSet } from "./replica-set.ts";

/** Where faults are injected. */
export type Target = { set: ReplicaSet; instances: readonly Instance[]; random: () => number };

/** Injects a fault, and ends it unless the product must recover from it by itself. */
export type Fault = { name: string; inject(target: Target): Promise<unknown> };

const DOWN_MS = 7_000;
const HUNG_MS = 9_000;
const CUT_MS = 2_000;
const REPLACED_AFTER_MS = 1_500;
/** Longer than an election takes, and than the product waits for a database. */
const PARTED_MS = 12_000;
const JUMP_MS = 30 * 60_000;
const CLOCK_MS = 5_000;

export const FAULTS: readonly Fault[] = [
  {
    name: "primary killed -9, restarted",
    async inject({ set }) {
      const primary = await set.primary();
      await primary.kill();
      await sleep(DOWN_MS);
      await primary.start();
    },
  },
  {
    name: "primary steps down",
    async inject({ set }) {
      const primary = await set.primary();
      await primary.command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 });
    },
  },
  {
    name: "primary hangs (SIGSTOP), resumed",
    async inject({ set }) {
      const primary = await set.primary();
      primary.signal("SIGSTOP");
      await sleep(HUNG_MS);
      primary.signal("SIGCONT");
    },
  },
  { name: "connections cut after 60 commands", inject: (target) => cutConnections(target, { times: 60 }) },
  { name: "every connection cut for 2 s", inject: (target) => cutConnections(target, "alwaysOn") },
  {
    name: "API instance killed -9, replaced",
    async inject(target) {
      const victim = anyInstance(target);
      await victim.end("SIGKILL");
      await sleep(REPLACED_AFTER_MS);
      await victim.start();
    },
  },
  {
    name: "API instance told to stop (SIGTERM), replaced",
    async inject(target) {
      const victim = anyInstance(target);
      await victim.end("SIGTERM");
      await victim.start();
    },
  },
  {
    name: "primary cut off from everybody, both ways, then back",
    async inject({ set }) {
      const primary = await set.primary();
      primary.isolate();
      await sleep(PARTED_MS);
      primary.rejoin();
    },
  },
  {
    name: "API instance cut off from its clients, both ways, then back",
    async inject(target) {
      const { link } = anyInstance(target);
      link.cutResponses();
      await sleep(CUT_MS);
      link.cut();
      await sleep(PARTED_MS);
      link.mend();
    },
  },
  {
    name: "API instance's clock jumps half an hour ahead, then behind",
    async inject(target) {
      const victim = anyInstance(target);
      for (const offsetMs of [JUMP_MS, -JUMP_MS, 0]) {
        victim.setClock(offsetMs);
        await sleep(CLOCK_MS);
      }
    },
  },
];

/** Cuts only the product's connections, when they send a command. */
async function cutConnections({ set }: Target, mode: Document | string): Promise<void> {
  const primary = await set.primary();
  const reads = ["find", "aggregate"];
  const writes = ["insert", "update", "delete", "bulkWrite", "findAndModify", "commitTransaction"];
  const data = { closeConnection: true, failCommands: [...reads, ...writes], appName: "tasklane" };
  await primary.command({ configureFailPoint: "failCommand", mode, data });
  await sleep(CUT_MS);
  await primary.command({ configureFailPoint: "failCommand", mode: "off" });
}

function anyInstance({ instances, random }: Target): Instance {
  return anyOf(instances, random) as Instance;
}
