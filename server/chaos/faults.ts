import { setTimeout as sleep } from "node:timers/promises";
import type { Document } from "mongodb";
import { idleAbout, pipelineAndReset, readNothing } from "./hostile-clients.ts";
import type { Instance } from "./instance.ts";
import type { ReplicaSet } from "./replica-set.ts";

/** What is hurt. A fault adds to `problems` what it saw and must not be. */
export type Site = {
  set: ReplicaSet;
  instances: readonly Instance[];
  roll: () => number;
  problems: string[];
};

/** Hurts something, mends it again if that is not left to the product, and may say what it saw. */
export type Fault = { name: string; hurt(site: Site): Promise<string | undefined> };

const DOWN_MS = 7_000;
const HUNG_MS = 9_000;
const CUT_MS = 2_000;
const REPLACED_AFTER_MS = 1_500;
const WRITES = [
  "insert",
  "update",
  "delete",
  "bulkWrite",
  "findAndModify",
  "find",
  "aggregate",
  "commitTransaction",
];

/** Every fault of a run. */
export const FAULTS: readonly Fault[] = [
  {
    name: "primary killed -9, restarted",
    async hurt({ set }) {
      const primary = await set.primary();
      await primary.kill();
      await sleep(DOWN_MS);
      await primary.start();
      return undefined;
    },
  },
  {
    name: "primary steps down",
    async hurt({ set }) {
      const primary = await set.primary();
      await primary.admin({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 });
      return undefined;
    },
  },
  {
    name: "primary hangs (SIGSTOP), resumed",
    async hurt({ set }) {
      const primary = await set.primary();
      primary.hang();
      await sleep(HUNG_MS);
      primary.resume();
      return undefined;
    },
  },
  {
    name: "connections cut after 60 commands",
    async hurt({ set }) {
      const primary = await set.primary();
      await primary.admin(failCommand({ times: 60 }));
      await sleep(CUT_MS);
      await primary.admin(failCommand("off"));
      return undefined;
    },
  },
  {
    name: "every connection cut for 2 s",
    async hurt({ set }) {
      const primary = await set.primary();
      await primary.admin(failCommand("alwaysOn"));
      await sleep(CUT_MS);
      await primary.admin(failCommand("off"));
      return undefined;
    },
  },
  {
    name: "API instance killed -9, replaced",
    async hurt(site) {
      const victim = anyInstance(site);
      await victim.kill();
      await sleep(REPLACED_AFTER_MS);
      await victim.start();
      return undefined;
    },
  },
  {
    name: "API instance told to stop (SIGTERM), replaced",
    async hurt(site) {
      const victim = anyInstance(site);
      const ms = await victim.terminate();
      await victim.start();
      return `gone after ${(ms / 1_000).toFixed(1)} s`;
    },
  },
  { name: "hundreds of requests in one write, then a reset", hurt: pipelineAndReset },
  { name: "340 readers of whole lists that read nothing", hurt: readNothing },
  { name: "5,100 idle connections", hurt: idleAbout },
];

/** Fails what the product sends; nobody else's connections. */
function failCommand(mode: Document | string): Document {
  return {
    configureFailPoint: "failCommand",
    mode,
    ...(mode !== "off" && { data: { closeConnection: true, failCommands: WRITES, appName: "tasklane" } }),
  };
}

function anyInstance({ instances, roll }: Site): Instance {
  return instances[Math.floor(roll() * instances.length)] as Instance;
}
