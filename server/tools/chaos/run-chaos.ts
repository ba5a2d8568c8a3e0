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
import { createBalancer, type Front } from "./balancer.ts";
import { NO_BUG, type PlantedBug } from "./bug-kinds.ts";
import type { Containers } from "./containers.ts";
import { createCorrespondence } from "./conversations/correspondence.ts";
import { judgeConversations } from "./conversations/judge-conversations.ts";
import { type Mailbox, openMailbox } from "./conversations/mailbox.ts";
import { settle } from "./conversations/settle.ts";
import { writeToAbsent } from "./conversations/stay-away.ts";
import { converse } from "./conversations/talk.ts";
import { type Crowd, type CrowdSize, signUpCrowd } from "./crowd.ts";
import { decide, visit } from "./deciders.ts";
import type { Fault } from "./faults.ts";
import { NewBidNotices } from "./history/new-bid-notices.ts";
import { createTaskHistory } from "./history/task-history.ts";
import { type Instance, instance, type Target } from "./instance.ts";
import { judge, type Verdict } from "./judge.ts";
import { Ledger } from "./ledger.ts";
import { listen } from "./listeners.ts";
import { notificationProblems } from "./notification-problems.ts";
import { startReplicaSet } from "./replica-set.ts";
import { isAcknowledged, type Phase } from "./report.ts";
import type { Workload } from "./workload.ts";
import { placeBids, postTasks } from "./writers.ts";

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
const VISITORS = 4;
/** What a killed instance left undone, another one does once its lease expires. */
const ALL_NOTIFIED = { timeoutMs: 40_000, everyMs: 500 };

/**
 * Writes through two API instances to a three-member replica set while faults are injected, then compares what was
 * acknowledged with what is stored. Everything runs on this machine with temporary data and is stopped at the end.
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
    const bug = options.bug ?? NO_BUG;
    const mailbox = await closer.track(openMailbox(bug.deliverMail), (opened) => opened.close());
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
    progress(`three members and two instances are running, logs in ${logs}`);
    const target = { set, instances, random: seededRandom(options.seed), problems: [] };
    const verdict = await disturb(target, front, mailbox, { ...options, bug }, progress);
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
  options: ChaosOptions & { bug: PlantedBug },
  progress: (text: string) => void,
): Promise<Verdict> {
  const { set, instances, problems } = target;
  const { intercept, deliver } = options.bug;
  const stop = new AbortController();
  const leave = new AbortController();
  // Every writer waits for it.
  setMaxListeners(0, stop.signal, leave.signal);
  const began = performance.now();
  const now = () => Math.round(performance.now() - began);
  const workload: Workload = {
    balancer: intercept(front),
    ledger: new Ledger(),
    history: createTaskHistory(),
    newBidNotices: new NewBidNotices(),
    conversations: createCorrespondence(),
    sent: [],
    reads: [],
    random: seededRandom(options.seed + 1),
    now,
    signal: stop.signal,
    open: [],
    begun: [],
  };
  const crowd = await signUpCrowd(options, instances[0] as Instance);
  const pairs = [...crowd.talking, ...crowd.away].flatMap(({ client, freelancer }) => [client, freelancer]);
  const listeners = [...crowd.clients, ...pairs, ...crowd.watchers.map(({ person }) => person)];
  const listening = listeners.map((person) => listen(person, { front, signal: leave.signal, deliver, now }));
  // A stream does not report what was written before it opened.
  const isOpen = () => listening.every(({ streams }) => streams[0]?.unread.length);
  if (!(await waitUntil(isOpen, ALL_NOTIFIED))) throw new Error("The event streams did not open.");
  const writers = await startWriters(workload, crowd, mailbox);
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
    await Promise.all(writers);
  }
  progress("comparing what was acknowledged with what is stored, read, delivered live and emailed");
  const { uri } = set;
  const { watchers, readers } = crowd;
  const findNotificationProblems = () =>
    notificationProblems({ uri, newBidNotices: workload.newBidNotices, listening, watchers });
  const allNotified = () =>
    waitUntil(async () => (await findNotificationProblems()).length === 0, ALL_NOTIFIED);
  await allNotified();
  const isSettled = await settle(
    uri,
    readers.map(({ uid }) => uid),
  );
  // People have just been notified of what they left unread.
  await allNotified();
  for (const { url, isWhole } of instances) if (!isWhole()) problems.push(`a process of ${url} is gone`);
  const conversations = await judgeConversations({
    uri,
    workload,
    instances,
    intercept,
    listening: listening.filter(({ person }) => pairs.includes(person)),
    mailbox,
    readers: new Map(readers.map(({ email, uid }) => [email, uid])),
    // Each of an instance's two processes sends one email at a time.
    copies: 2 * phases.filter(({ name }) => /instance killed/.test(name)).length,
  });
  const found = [
    ...(await findNotificationProblems()),
    ...(isSettled ? [] : ["some notifications or emails were not sent in time"]),
    ...conversations.problems,
  ];
  leave.abort();
  await Promise.all(listening.map(({ ended }) => ended));
  const { lines } = conversations;
  return judge({ set, instances, problems, workload, notificationProblems: found, lines, phases });
}

async function startWriters(workload: Workload, crowd: Crowd, mailbox: Mailbox): Promise<Promise<void>[]> {
  const { clients, freelancers, talking, away } = crowd;
  const posting = clients.map((person) => postTasks(workload, person));
  // Waits for several tasks: bids on a single one would only queue up.
  while (workload.open.length < clients.length) await sleep(50);
  return [
    ...posting,
    ...clients.map((person) => decide(workload, person)),
    ...freelancers.map((person) => placeBids(workload, person)),
    ...Array.from({ length: VISITORS }, () => visit(workload)),
    ...talking.map((pair) => converse(workload, pair)),
    ...away.map((pair) => writeToAbsent(workload, pair, mailbox)),
  ];
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
