import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Closer } from "../dev/lib/closer.ts";
import { freePort } from "../dev/lib/ports.ts";
import { waitUntil } from "../dev/lib/wait-until.ts";
import { ensureTestServices } from "../dev/test-services.ts";
import { seededRandom } from "../test/many-tasks.ts";
import { createBalancer, type Front } from "./balancer.ts";
import type { Containers } from "./containers.ts";
import { createCorrespondence } from "./conversations/correspondence.ts";
import { judgeConversations } from "./conversations/judge-conversations.ts";
import { type Mailbox, openMailbox } from "./conversations/mailbox.ts";
import { settle } from "./conversations/settle.ts";
import { writeToAbsent } from "./conversations/stay-away.ts";
import { talkOn } from "./conversations/talk.ts";
import { type Crowd, type CrowdSize, gather } from "./crowd.ts";
import { decide, visit } from "./deciders.ts";
import type { Fault } from "./faults.ts";
import { Arrivals } from "./history/arrivals.ts";
import { createTaskHistory } from "./history/task-history.ts";
import { type Instance, instance, type Target } from "./instance.ts";
import { judge, type Verdict } from "./judge.ts";
import { Ledger } from "./ledger.ts";
import { type Lie, TRUTH } from "./lie-kinds.ts";
import { listen } from "./listeners.ts";
import { startReplicaSet } from "./replica-set.ts";
import { isAcknowledged, type Phase } from "./report.ts";
import { mistold } from "./told.ts";
import { placeBids, postTasks } from "./writers.ts";
import type { Writing } from "./writing.ts";

export type ChaosOptions = CrowdSize & {
  seed: number;
  /** Each is injected once; then they are repeated until the seconds are over. */
  faults: readonly Fault[];
  seconds: number;
  /** The server's `main`, and Node's options for it. */
  main: string;
  execArgv?: string[];
  /** Runs the instances as containers, behind the proxy of `server/deploy`. */
  containers?: Containers;
  /** A bug between people and the product, which the judgement must find. */
  lie?: Lie;
};

const CALM_MS = 4_000;
const RECOVERY_MS = 30_000;
const VISITORS = 4;
/** What an instance left that was killed, another one tells after its lease. */
const ALL_TOLD = { timeoutMs: 40_000, everyMs: 500 };

/**
 * Lets people write through two API instances to a replica set of three while faults are injected, then compares what was
 * acknowledged with what is stored. Everything runs on this machine with temporary data, and is stopped at the end.
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
    const lie = options.lie ?? TRUTH;
    const mailbox = await closer.track(openMailbox(lie.handOut), (opened) => opened.close());
    const logs = mkdtempSync(join(tmpdir(), "tasklane-chaos-logs-"));
    const instances: Instance[] = [];
    closer.add(async () => void (await Promise.all(instances.map((each) => each.close()))));
    for (const name of ["one", "two"]) {
      const { main, execArgv = [], containers } = options;
      const { authEmulatorHost: emulatorHost, projectId } = auth;
      const place = containers?.place(name) ?? { host: "127.0.0.1", port: await freePort() };
      const where = {
        ...place,
        metricsPort: await freePort(),
        mongoUri: set.uri,
        emulatorHost,
        projectId,
        smtpUrl: mailbox.smtpUrl,
      };
      const next = instance({ ...where, main, execArgv, logFile: join(logs, `${name}.log`) });
      instances.push(next);
      await next.start();
    }
    const front = (await options.containers?.front(closer)) ?? createBalancer(instances);
    progress(`three members and two instances run, logs in ${logs}`);
    const target = { set, instances, roll: seededRandom(options.seed), problems: [] };
    const verdict = await disturb(target, front, mailbox, { ...options, lie }, progress);
    if (verdict.problems.length === 0) rmSync(logs, { recursive: true, force: true });
    else writeFileSync(join(logs, "histories.txt"), verdict.histories);
    return verdict;
  } finally {
    await closer.close();
  }
}

async function disturb(
  target: Target,
  front: Front,
  mailbox: Mailbox,
  options: ChaosOptions & { lie: Lie },
  progress: (text: string) => void,
): Promise<Verdict> {
  const { set, instances, problems } = target;
  const { between, deliver } = options.lie;
  const stop = new AbortController();
  const leave = new AbortController();
  // All writers wait on it.
  setMaxListeners(0, stop.signal, leave.signal);
  const began = performance.now();
  const now = () => Math.round(performance.now() - began);
  const writing: Writing = {
    balancer: between(front),
    ledger: new Ledger(),
    history: createTaskHistory(),
    arrivals: new Arrivals(),
    conversations: createCorrespondence(),
    sent: [],
    reads: [],
    roll: seededRandom(options.seed + 1),
    now,
    signal: stop.signal,
    open: [],
    begun: [],
  };
  const crowd = await gather(options, instances[0] as Instance);
  const pairs = [...crowd.talking, ...crowd.away].flatMap(({ client, freelancer }) => [client, freelancer]);
  const listeners = [...crowd.clients, ...pairs, ...crowd.watchers.map(({ person }) => person)];
  const listening = listeners.map((person) => listen(person, { front, signal: leave.signal, deliver, now }));
  // What was written before is no news to a stream.
  const isOpen = () => listening.every(({ streams }) => streams[0]?.unread.length);
  if (!(await waitUntil(isOpen, ALL_TOLD))) throw new Error("The event streams did not open.");
  const writers = await startWriters(writing, crowd, mailbox);
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
  progress("comparing what was acknowledged with what is stored, seen, told and emailed");
  const { uri } = set;
  const { watchers, readers } = crowd;
  const told = () => mistold({ uri, arrivals: writing.arrivals, listening, watchers });
  const allTold = () => waitUntil(async () => (await told()).length === 0, ALL_TOLD);
  await allTold();
  const isSettled = await settle(
    uri,
    readers.map(({ uid }) => uid),
  );
  // Of what people left unread they were notified just now.
  await allTold();
  for (const { url, isWhole } of instances) if (!isWhole()) problems.push(`a process of ${url} is gone`);
  const conversations = await judgeConversations({
    uri,
    writing,
    instances,
    between,
    listening: listening.filter(({ person }) => pairs.includes(person)),
    mailbox,
    readers: new Map(readers.map(({ email, uid }) => [email, uid])),
    // One at a time is on its way from each of the two processes.
    copies: 2 * phases.filter(({ name }) => /instance killed/.test(name)).length,
  });
  const unexplained = [
    ...(await told()),
    ...(isSettled ? [] : ["what was due was not told or emailed in time"]),
    ...conversations.problems,
  ];
  leave.abort();
  await Promise.all(listening.map(({ ended }) => ended));
  const { lines } = conversations;
  return judge({ set, instances, problems, writing, mistold: unexplained, lines, phases });
}

async function startWriters(writing: Writing, crowd: Crowd, mailbox: Mailbox): Promise<Promise<void>[]> {
  const { clients, freelancers, talking, away } = crowd;
  const posting = clients.map((person) => postTasks(writing, person));
  // Not before there are several tasks: bids on a single one would only wait for each other.
  while (writing.open.length < clients.length) await sleep(50);
  return [
    ...posting,
    ...clients.map((person) => decide(writing, person)),
    ...freelancers.map((person) => placeBids(writing, person)),
    ...Array.from({ length: VISITORS }, () => visit(writing)),
    ...talking.map((pair) => talkOn(writing, pair)),
    ...away.map((pair) => writeToAbsent(writing, pair, mailbox)),
  ];
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
