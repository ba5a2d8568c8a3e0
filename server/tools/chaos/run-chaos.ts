import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { testFirebase } from "../../test/harness.ts";
import { seededRandom } from "../lib/random.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { buildServer } from "../start/build-product.ts";
import { createBalancer, isAcknowledged, type Send } from "./balancer.ts";
import type { Fault, Target } from "./faults.ts";
import { createInstance } from "./instance.ts";
import { judge } from "./judge.ts";
import { startPeople } from "./people.ts";
import { withBug } from "./planted-bugs.ts";
import { startReplicaSet } from "./replica-set.ts";
import type { Phase } from "./sent.ts";
import { createWorkload, type Workload } from "./workload.ts";

type ChaosOptions = {
  seed: number;
  /** Each is injected once; after that they repeat until the time is up. */
  faults: readonly Fault[];
  seconds: number;
  /** The name of a bug planted between the clients and the product, which the run must report. */
  bug?: string | undefined;
};

/** How long the product works without a fault at first, and how long after each. */
const CALM_MS = { first: 3_000, after: 1_500 };
const RECOVERY_MS = 30_000;

/**
 * Writes through two API instances to a three-member replica set while faults are injected, and checks whether an order of
 * all operations explains what everybody was told. Everything runs on this machine with temporary data and is stopped at
 * the end.
 * @throws if something does not recover by itself in time.
 */
export async function runChaos(options: ChaosOptions, progress: (text: string) => void) {
  const { bug, seed } = options;
  await buildServer();
  const logs = mkdtempSync(join(tmpdir(), "tasklane-chaos-logs-"));
  await using set = await startReplicaSet(logs, progress);
  const instance = (name: string) =>
    // On the emulator of the tests, but not on their database.
    createInstance({ ...testFirebase(), mongoUri: set.uri, logFile: join(logs, `${name}.log`) });
  await using one = await instance("one");
  await using two = await instance("two");
  const instances = [one, two];
  for (const each of instances) await each.start();
  progress(`three members and two instances are running, logs in ${logs}`);
  const send = createBalancer(instances);
  const target = { set, instances, random: seededRandom(seed) };
  const verdict = await disturb(target, bug ? withBug(bug, send) : send, options, progress);
  if (verdict.problems.length === 0) rmSync(logs, { recursive: true, force: true });
  else writeFileSync(join(logs, "histories.txt"), verdict.histories);
  return verdict;
}

async function disturb(target: Target, send: Send, options: ChaosOptions, progress: (text: string) => void) {
  const stop = new AbortController();
  // Every writer waits for it.
  setMaxListeners(0, stop.signal);
  const origins = target.instances.map(({ url }) => url);
  const workload = createWorkload(send, origins, options.seed + 1, stop.signal);
  const people = await startPeople(workload);
  const phases: Phase[] = [];
  const phase = async ({ name, inject }: Fault) => {
    const from = workload.now();
    await inject(target);
    await recovered(target, workload).catch((error: Error) => {
      throw new Error(`After "${name}": ${error.message}`, { cause: error });
    });
    await sleep(CALM_MS.after);
    const to = workload.now();
    phases.push({ name, from, to });
    progress(`${name}: ${((to - from) / 1_000).toFixed(1)} s`);
  };
  try {
    await phase({ name: "nothing", inject: () => sleep(CALM_MS.first) });
    do {
      for (const fault of shuffled(options.faults, target.random)) {
        if (phases.length > options.faults.length && workload.now() > options.seconds * 1_000) break;
        await phase(fault);
      }
    } while (workload.now() < options.seconds * 1_000);
  } finally {
    stop.abort();
    await Promise.all(people);
  }
  progress("reading everything once more, and looking for orders that explain it");
  return judge(target, workload, phases);
}

/** Waits until the replica set is complete, both instances are ready, and new writes are acknowledged. */
async function recovered({ set, instances }: Target, workload: Workload): Promise<void> {
  await set.recovered();
  const since = workload.now();
  const isServed = () =>
    instances.every((each) => each.isReady()) &&
    workload.sent.some((each) => each.at >= since && isAcknowledged(each));
  if (await waitUntil(isServed, { timeoutMs: RECOVERY_MS, everyMs: 50 })) return;
  const states = instances.map(({ url, isReady }) => `${url} is ${isReady() ? "ready" : "not ready"}`);
  throw new Error(`The product did not recover within ${RECOVERY_MS / 1_000} s: ${states.join(", ")}.`);
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
