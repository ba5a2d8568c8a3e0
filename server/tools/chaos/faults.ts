import { setTimeout as sleep } from "node:timers/promises";
import type { Document } from "mongodb";
import { holdIdleConnections, pipelineAndReset, readNothing } from "./hostile-clients.ts";
import type { Instance, Target } from "./instance.ts";

/** Injects a fault, ends it unless the product must recover from it by itself, and may return a note for the report. */
export type Fault = {
  name: string;
  /** Whether it cannot be injected into containers. */
  needsProcesses?: boolean;
  inject(target: Target): Promise<string | undefined>;
};

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
      return undefined;
    },
  },
  {
    name: "primary steps down",
    async inject({ set }) {
      const primary = await set.primary();
      await primary.command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 });
      return undefined;
    },
  },
  {
    name: "primary hangs (SIGSTOP), resumed",
    async inject({ set }) {
      const primary = await set.primary();
      primary.hang();
      await sleep(HUNG_MS);
      primary.resume();
      return undefined;
    },
  },
  { name: "connections cut after 60 commands", inject: (target) => cutConnections(target, { times: 60 }) },
  { name: "every connection cut for 2 s", inject: (target) => cutConnections(target, "alwaysOn") },
  {
    name: "API instance killed -9, replaced",
    async inject(target) {
      const victim = anyInstance(target);
      await victim.kill();
      await sleep(REPLACED_AFTER_MS);
      await victim.start();
      return undefined;
    },
  },
  {
    name: "API instance told to stop (SIGTERM), replaced",
    async inject(target) {
      const victim = anyInstance(target);
      const ms = await victim.terminate();
      await victim.start();
      return `gone after ${(ms / 1_000).toFixed(1)} s`;
    },
  },
  {
    name: "primary cut off from everybody, both ways, then back",
    async inject({ set }) {
      const primary = await set.primary();
      primary.isolate();
      await sleep(PARTED_MS);
      primary.rejoin();
      return undefined;
    },
  },
  {
    name: "API instance cut off from its clients, both ways, then back",
    needsProcesses: true,
    async inject(target) {
      const victim = anyInstance(target);
      victim.cutResponses();
      await sleep(CUT_MS);
      victim.cut();
      await sleep(PARTED_MS);
      victim.mend();
      return undefined;
    },
  },
  {
    name: "API instance's clock jumps half an hour ahead, then behind",
    needsProcesses: true,
    async inject(target) {
      const victim = anyInstance(target);
      for (const offsetMs of [JUMP_MS, -JUMP_MS, 0]) {
        victim.setClock(offsetMs);
        await sleep(CLOCK_MS);
      }
      return undefined;
    },
  },
  { name: "hundreds of requests in one write, then a reset", inject: pipelineAndReset },
  { name: "340 readers of whole lists that read nothing", inject: readNothing },
  { name: "5,100 idle connections", inject: holdIdleConnections },
];

/** Cuts only the product's connections, when they send a command. */
async function cutConnections({ set }: Target, mode: Document | string): Promise<undefined> {
  const primary = await set.primary();
  const reads = ["find", "aggregate"];
  const writes = ["insert", "update", "delete", "bulkWrite", "findAndModify", "commitTransaction"];
  const data = { closeConnection: true, failCommands: [...reads, ...writes], appName: "tasklane" };
  await primary.command({ configureFailPoint: "failCommand", mode, data });
  await sleep(CUT_MS);
  await primary.command({ configureFailPoint: "failCommand", mode: "off" });
}

function anyInstance({ instances, random }: Target): Instance {
  return instances[Math.floor(random() * instances.length)] as Instance;
}
