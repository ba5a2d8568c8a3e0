import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../../test/many-tasks.ts";
import { Closer } from "../lib/closer.ts";
import { freePort } from "../lib/ports.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { ensureTestServices } from "../start/test-services.ts";
import { type Balancer, createBalancer } from "./balancer.ts";
import type { Containers } from "./containers.ts";
import type { Fault } from "./faults.ts";
import { createConversationHistory } from "./history/conversation-history.ts";
import { createTaskHistory } from "./history/task-history.ts";
import { type Instance, instance, type Target } from "./instance.ts";
import { judge, type Verdict } from "./judge.ts";
import { type CrowdSize, startPeople } from "./people.ts";
import type { PlantedBug } from "./planted-bugs.ts";
import { startReplicaSet } from "./replica-set.ts";
import { isAcknowledged, type Phase } from "./report.ts";
import type { Workload } from "./workload.ts";

export type ChaosOptions = CrowdSize & {
  seed: number;
  /** Each is injected once; after that they repeat until the time is up. */
  faults: readonly Fault[];
  seconds: number;
  /** The server's `main`, and Node's options for it. */
  main: string;
  execArgv?: string[];
  /** Runs the instances as containers, behind the proxy of `server/deploy`. */
  containers?: Containers;
  /** A bug planted between the clients and the product, which the run must report. */
  bug?: PlantedBug;
};

const CALM_MS = 4_000;
const RECOVERY_MS = 30_000;

/**
 * Writes through two API instances to a three-member replica set while faults are injected, and checks whether an order of
 * all operations explains what everybody was told. Everything runs on this machine with temporary data and is stopped at
 * the end.
 * @throws if something does not recover by itself in time.
 */
export async function runChaos(
  options: ChaosOptions,
  progress: (text: string) => void,
  closer = new Closer(),
): Promise<Verdict> {
  try {
    // Shares the emulator of a test run, if there is one, but not its database.
    const auth = await closer.track(ensureTestServices(progress), (services) => services.stop());
    const set = await closer.track(startReplicaSet(progress), (started) => started.stop());
    const logs = mkdtempSync(join(tmpdir(), "tasklane-chaos-logs-"));
    const instances: Instance[] = [];
    closer.add(async () => void (await Promise.all(instances.map((each) => each.close()))));
    for (const name of ["one", "two"]) {
      const { main, execArgv = [], containers } = options;
      const place = containers?.place(name) ?? { host: "127.0.0.1", port: await freePort() };
      const next = await instance({
        ...place,
        metricsPort: await freePort(),
        mongoUri: set.uri,
        emulatorHost: auth.authEmulatorHost,
        projectId: auth.projectId,
        ...{ main, execArgv, logFile: join(logs, `${name}.log`) },
      });
      instances.push(next);
      await next.start();
    }
    const front = (await options.containers?.front(closer)) ?? createBalancer(instances);
    progress(`three members and two instances are running, logs in ${logs}`);
    const target = { set, instances, random: seededRandom(options.seed), problems: [] };
    const verdict = await disturb(target, options.bug?.intercept(front) ?? front, options, progress);
    if (verdict.problems.length === 0) rmSync(logs, { recursive: true, force: true });
    else writeFileSync(join(logs, "histories.txt"), verdict.histories);
    return verdict;
  } finally {
    await closer.close();
  }
}

async function disturb(
  target: Target,
  balancer: Balancer,
  options: ChaosOptions,
  progress: (text: string) => void,
): Promise<Verdict> {
  const stop = new AbortController();
  // Every writer waits for it.
  setMaxListeners(0, stop.signal);
  const began = performance.now();
  const workload: Workload = {
    balancer,
    tasks: createTaskHistory(),
    conversations: createConversationHistory(),
    posted: new Map(),
    reached: {
      "request repeated after an unknown outcome": 0,
      "response replayed from what was recorded": 0,
      "request of one instance completed by another": 0,
    },
    random: seededRandom(options.seed + 1),
    now: () => Math.round(performance.now() - began),
    signal: stop.signal,
    ...{ sent: [], reads: [], open: [], begun: [], allTasks: [], allConversations: [] },
  };
  const people = await startPeople(workload, options);
  const phases: Phase[] = [];
  const phase = async (name: string, inject: () => Promise<string | undefined>) => {
    const from = workload.now();
    const note = await inject();
    await recovered(target, workload);
    await sleep(CALM_MS / 2);
    const to = workload.now();
    phases.push({ name, from, to, note: note ?? "" });
    progress(`${name}: ${((to - from) / 1_000).toFixed(1)} s`);
  };
  try {
    await phase("nothing", async () => void (await sleep(CALM_MS)));
    do {
      for (const fault of shuffled(options.faults, target.random)) {
        if (phases.length > options.faults.length && workload.now() > options.seconds * 1_000) break;
        await phase(fault.name, () => fault.inject(target));
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
