import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Closer } from "../dev/lib/closer.ts";
import { freePort } from "../dev/lib/ports.ts";
import { waitUntil } from "../dev/lib/wait-until.ts";
import { ensureTestServices } from "../dev/test-services.ts";
import type { Notification } from "../src/contract/index.ts";
import { dice } from "../test/many-tasks.ts";
import { type Person, signUp } from "../test/people.ts";
import { createBalancer } from "./balancer.ts";
import { decide, visit } from "./deciders.ts";
import type { Fault } from "./faults.ts";
import { Arrivals } from "./history/arrivals.ts";
import { createHistory } from "./history/history.ts";
import { type Instance, instance, type Target } from "./instance.ts";
import { judge, type Verdict } from "./judge.ts";
import { Ledger } from "./ledger.ts";
import { type Lie, TRUTH } from "./lies.ts";
import { listen } from "./listeners.ts";
import { startReplicaSet } from "./replica-set.ts";
import { isAcknowledged, type Phase } from "./report.ts";
import { saveSearch, wronglyTold } from "./saved-search.ts";
import { placeBids, postTasks } from "./writers.ts";
import type { Writing } from "./writing.ts";

export type ChaosOptions = {
  seed: number;
  /** Each is injected once; then they are repeated until the seconds are over. */
  faults: readonly Fault[];
  seconds: number;
  clients: number;
  freelancers: number;
  /** The server's `main`, and Node's options for it. */
  main: string;
  execArgv?: string[];
  /** A bug between people and the product, which the judgement must find. */
  lie?: Lie;
};

const CALM_MS = 4_000;
const RECOVERY_MS = 30_000;
const VISITORS = 4;
const ALL_TOLD = { timeoutMs: 20_000, everyMs: 200 };
/** What an instance left that was killed, another one tells after its lease. */
const ALL_ALERTED = { timeoutMs: 40_000, everyMs: 500 };

/**
 * Lets people write through two API instances to a replica set of three while faults are injected, then compares what was
 * acknowledged with what is stored. Everything is a process on loopback with temporary data, and is stopped at the end.
 * @throws if something does not come back by itself in time.
 */
export async function runChaos(
  options: ChaosOptions,
  progress: (text: string) => void,
  closer = new Closer(),
): Promise<Verdict> {
  try {
    // The emulator of a test run, if there is one; the database of the run is not touched.
    const auth = await closer.track(ensureTestServices(progress), (services) => services.stop());
    const set = await closer.track(startReplicaSet(progress), (started) => started.stop());
    const logs = mkdtempSync(join(tmpdir(), "tasklane-chaos-logs-"));
    const instances: Instance[] = [];
    closer.add(async () => void (await Promise.all(instances.map((each) => each.close()))));
    for (const name of ["one", "two"]) {
      const { main, execArgv = [] } = options;
      const { authEmulatorHost: emulatorHost, projectId } = auth;
      const ports = { port: await freePort(), metricsPort: await freePort() };
      const where = { ...ports, mongoUri: set.uri, emulatorHost, projectId };
      const next = instance({ ...where, main, execArgv, logFile: join(logs, `${name}.log`) });
      instances.push(next);
      await next.start();
    }
    progress(`three members and two instances run, logs in ${logs}`);
    const verdict = await disturb(
      { set, instances, roll: dice(options.seed), problems: [] },
      options,
      progress,
    );
    if (verdict.problems.length === 0) rmSync(logs, { recursive: true, force: true });
    else writeFileSync(join(logs, "histories.txt"), verdict.histories);
    return verdict;
  } finally {
    await closer.close();
  }
}

async function disturb(
  target: Target,
  options: ChaosOptions,
  progress: (text: string) => void,
): Promise<Verdict> {
  const { set, instances, problems } = target;
  const lie = options.lie ?? TRUTH;
  const stop = new AbortController();
  const leave = new AbortController();
  // All writers wait on it.
  setMaxListeners(0, stop.signal, leave.signal);
  const began = performance.now();
  const writing: Writing = {
    balancer: lie.between(createBalancer(instances)),
    ledger: new Ledger(),
    history: createHistory(),
    arrivals: new Arrivals(),
    sent: [],
    roll: dice(options.seed + 1),
    now: () => Math.round(performance.now() - began),
    signal: stop.signal,
    open: [],
  };
  const crowd = await signUpAll(options);
  const listening = crowd.clients.map((person) =>
    listen(person, { instances, signal: leave.signal, deliver: lie.deliver }),
  );
  const [watcher] = crowd.freelancers as [Person];
  await saveSearch(instances[0] as Instance, watcher);
  const writers = await startWriters(writing, crowd);
  const phases: Phase[] = [];
  const phase = async (name: string, inject: () => Promise<string | undefined>) => {
    const from = writing.now();
    const note = await inject();
    await recovered(target, writing);
    await sleep(CALM_MS / 2);
    const to = writing.now();
    phases.push({ name, from, to, note: note ?? "" });
    progress(`${name}: ${((to - from) / 1_000).toFixed(1)} s`);
  };
  try {
    await phase("nothing", async () => void (await sleep(CALM_MS)));
    do {
      for (const fault of shuffled(options.faults, target.roll)) {
        if (phases.length > options.faults.length && writing.now() > options.seconds * 1_000) break;
        await phase(fault.name, () => fault.inject(target));
      }
    } while (writing.now() < options.seconds * 1_000);
  } finally {
    stop.abort();
    await Promise.all(writers);
  }
  progress("comparing what was acknowledged with what is stored, seen and told");
  const mistold = () =>
    writing.arrivals.problems(countByTask(listening.flatMap(({ told }) => [...told.values()])));
  await waitUntil(() => mistold().length === 0, ALL_TOLD);
  await waitUntil(async () => (await wronglyTold(set.uri, watcher)).length === 0, ALL_ALERTED);
  leave.abort();
  await Promise.all(listening.map(({ ended }) => ended));
  const told = [...mistold(), ...(await wronglyTold(set.uri, watcher))];
  return judge({ set, instances, problems, writing, mistold: told, phases });
}

type Crowd = { clients: Person[]; freelancers: Person[] };

async function signUpAll(options: ChaosOptions): Promise<Crowd> {
  const crowd: Person[] = [];
  for (let number = 0; number < options.clients + options.freelancers; number++) crowd.push(await signUp());
  return { clients: crowd.slice(0, options.clients), freelancers: crowd.slice(options.clients) };
}

async function startWriters(writing: Writing, { clients, freelancers }: Crowd): Promise<Promise<void>[]> {
  const posting = clients.map((person) => postTasks(writing, person));
  // Not before there are several tasks: bids on a single one would only wait for each other.
  while (writing.open.length < clients.length) await sleep(50);
  return [
    ...posting,
    ...clients.map((person) => decide(writing, person)),
    ...freelancers.map((person) => placeBids(writing, person)),
    ...Array.from({ length: VISITORS }, () => visit(writing)),
  ];
}

/** How many new bids on each task were told of. */
function countByTask(told: readonly Notification[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, taskId } of told)
    if (kind === "new-bid") counts.set(taskId, (counts.get(taskId) ?? 0) + 1);
  return counts;
}

/** The set is complete, both instances are ready, and writes sent from now on are acknowledged. */
async function recovered({ set, instances }: Target, writing: Writing): Promise<void> {
  await set.recovered();
  const since = writing.now();
  const isServed = () =>
    instances.every((each) => each.isReady()) &&
    writing.sent.some((each) => each.at >= since && isAcknowledged(each));
  if (await waitUntil(isServed, { timeoutMs: RECOVERY_MS, everyMs: 50 })) return;
  const states = instances.map(({ url, isReady }) => `${url} is ${isReady() ? "ready" : "not ready"}`);
  throw new Error(`The product did not recover within ${RECOVERY_MS / 1_000} s: ${states.join(", ")}.`);
}

function shuffled<T>(items: readonly T[], roll: () => number): T[] {
  return items
    .map((item) => ({ item, place: roll() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
