import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { CONVERSATION_ROLES } from "../../src/contract/index.ts";
import { type Collections, collectionsOf } from "../../src/db/collections.ts";
import { conversationsWithWrongCount, FINDINGS, verifyBids } from "../../src/db/verify-data.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { createBalancer, type Outcome } from "./balancer.ts";
import type { Target } from "./instance.ts";
import { readConversation, readPages } from "./people.ts";
import { chaosReport, figuresOf, isAcknowledged, type Phase, type Sent, unansweredIn } from "./report.ts";
import { listBids, readTask, type Workload } from "./workload.ts";

/** The result of a run: figures for the report, and all problems. */
export type Verdict = {
  report: string;
  problems: string[];
  /** How often what faults are injected for has happened. */
  reached: Record<string, number>;
  /** The whole histories that are not linearizable. */
  histories: string;
  acknowledged: number;
};

/** Every request should end within five seconds; the rest allows for a busy machine. */
const MAX_REQUEST_MS = 6_000;
/** Refusals because of a task's or conversation's state; its history shows whether they were right. */
const REFUSALS = [
  ...["task-not-open", "wrong-state", "task-locked", "bid-not-found", "not-hired"],
  "conversation-not-found",
];
/** Faults after which an instance cannot respond to the requests it had begun, or only late. */
const UNANSWERED = /instance killed|cut off from its clients/;
/** A member that was down needs a while to catch up on a busy machine. */
const AGREE = { timeoutMs: 60_000, everyMs: 250 };

/**
 * Reads everything once more, from both instances, and judges the histories with it. Beside them: the database's own
 * members and counts, tasks that nobody posted or that are there twice, and responses that nobody should get.
 */
export async function judge(target: Target, workload: Workload, phases: readonly Phase[]): Promise<Verdict> {
  const { set, instances, problems: seen } = target;
  const { sent, reads, tasks, conversations } = workload;
  const unread = await readAll(target, workload);
  const agreed = await waitUntil(() => set.agrees(), AGREE);
  const stored = await withStored(set.uri, (collections) => storedProblems(collections, workload));
  const unexplained = [...tasks.problems(), ...conversations.problems()];
  const recoveries = instances.reduce((sum, each) => sum + each.recoveries(), 0);
  const reached = {
    ...workload.reached,
    "election of another primary": (await set.term()) - 1,
    "instance ready again without a restart": recoveries,
  };
  const problems = [
    ...counted(seen),
    ...instances.flatMap((each) => (each.isRunning() ? [] : [`the process of ${each.url} is gone`])),
    ...unread,
    ...stored,
    ...(agreed ? [] : ["the members of the replica set differ"]),
    ...unexplained.map(({ line }) => line),
    ...problemsOfRequests([...sent, ...reads], phases),
    ...withoutResponse([...sent, ...reads], phases),
    ...phases
      .filter((phase) => figuresOf(phase, sent).acknowledged === 0)
      .map(({ name }) => `nothing was acknowledged during "${name}"`),
  ];
  const histories = unexplained.flatMap(({ line, operations }) => [line, ...operations, ""]).join("\n");
  const report = chaosReport({
    ...{ phases, sent, reads, reached, unexplained: unexplained.length },
    tasks: tasks.counts(),
    conversations: conversations.counts(),
  });
  return { report, problems, reached, histories, acknowledged: sent.filter(isAcknowledged).length };
}

/** How long everybody is willing to wait for each last read. */
const READ_MS = 60_000;

/** Everybody reads all of their tasks, bids and conversations once more, which becomes part of each history. */
async function readAll({ instances }: Target, workload: Workload): Promise<string[]> {
  const at = instances.map((each) => ({ ...workload, balancer: createBalancer([each]) }));
  const problems: string[] = [];
  const surely = async (what: string, read: () => Promise<Outcome>) => {
    const isDone = async () => {
      const { status, retryAfterS } = await read();
      if (status === 429) await sleep(retryAfterS * 1_000);
      return status === 200;
    };
    if (!(await waitUntil(isDone, { timeoutMs: READ_MS })))
      problems.push(`${what} could not be read at the end`);
  };
  // One after another for each owner, and all owners together.
  const owners = new Set(workload.allTasks.map(({ owner }) => owner));
  await Promise.all(
    [...owners].map(async (person) => {
      const own = workload.allTasks.filter(({ owner }) => owner === person);
      for (const [index, task] of own.entries()) {
        const there = at[index % at.length] as Workload;
        await surely(`task ${task.id}`, () => readTask(there, task, task.owner));
        await surely(`the bids on ${task.id}`, () => listBids(there, task));
      }
    }),
  );
  for (const conversation of workload.allConversations)
    for (const [index, role] of CONVERSATION_ROLES.entries()) {
      const there = at[index % at.length] as Workload;
      await readPages(there, conversation, role, { limit: 50, pages: 1_000 });
      if (!(await readConversation(there, conversation, role)))
        problems.push(`conversation ${conversation.id} could not be read at the end`);
    }
  return problems;
}

/** Gives access to the product's collections, as stored on a majority of members. */
async function withStored<T>(uri: string, work: (stored: Collections) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri, { readConcern: { level: "majority" } });
  try {
    return await work(collectionsOf(client.db()));
  } finally {
    await client.close();
  }
}

/** What `npm run verify` checks, and tasks that nobody was told of or that were stored twice. */
async function storedProblems(stored: Collections, { posted }: Workload): Promise<string[]> {
  const { offenders } = await verifyBids(stored);
  const titles = new Map<string, number>();
  for await (const { title } of stored.tasks.find({}, { projection: { title: 1 } }))
    titles.set(title, (titles.get(title) ?? 0) + 1);
  return [
    ...FINDINGS.flatMap((finding) => offenders[finding].map((id) => `verify: ${finding} ${id}`)),
    ...(await conversationsWithWrongCount(stored)).map((id) => `verify: wrong count of messages ${id}`),
    ...[...titles].flatMap(([title, count]) => [
      ...(count > 1 ? [`task stored ${count} times: ${title}`] : []),
      ...(["refused", undefined].includes(posted.get(title))
        ? [`task stored that was refused: ${title}`]
        : []),
    ]),
  ];
}

/** Responses that nobody should get, or that took too long. */
function problemsOfRequests(sent: readonly Sent[], phases: readonly Phase[]): string[] {
  const unexpected = sent.filter(
    ({ status = 503, why = "" }) =>
      status >= 300 && ![429, 503].includes(status) && why !== "too-slow" && !REFUSALS.includes(why),
  );
  const held = phases.filter(({ name }) => UNANSWERED.test(name));
  const isHeld = ({ at, ms }: Sent) => held.some(({ from, to }) => at < to && at + ms > from);
  // Those without a response are judged by the fault that they met.
  const slow = sent.filter((each) => each.status !== undefined && each.ms > MAX_REQUEST_MS && !isHeld(each));
  return [
    ...counted(unexpected.map(({ what, status, why }) => `${what} got ${status} ${why ?? ""}`)),
    ...slow.map(({ what, ms, at }) => `${what} took ${ms} ms, ${Math.round(at / 1_000)} s into the run`),
  ];
}

/** Requests that got no response although no fault explains it. */
function withoutResponse(sent: readonly Sent[], phases: readonly Phase[]): string[] {
  const during = new Map(
    phases.flatMap((phase) => unansweredIn(phase, sent).map((each) => [each, phase.name] as const)),
  );
  const texts = sent
    .filter(({ status }) => status === undefined)
    .map((each) => ({ ...each, name: during.get(each) ?? "no fault" }))
    .filter(({ name }) => !UNANSWERED.test(name))
    .map(
      ({ name, what, why, ms }) =>
        `during "${name}" no response to ${what}: ${why} after ${(ms / 1_000).toFixed(0)} s`,
    );
  return counted(texts);
}

/** Each text once, with its count. */
function counted(texts: readonly string[]): string[] {
  return [...new Set(texts)].map((text) => `${texts.filter((other) => other === text).length} × ${text}`);
}
