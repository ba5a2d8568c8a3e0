import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { CONVERSATION_ROLES } from "../../src/contract/index.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import { FINDINGS, verifyProblems } from "../lib/verify-data.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { createBalancer, isAcknowledged, type Outcome } from "./balancer.ts";
import type { Target } from "./faults.ts";
import { fileProblems } from "./files.ts";
import { readConversation, readPages } from "./people.ts";
import { countsOf, isIn, type Phase, type Sent, unansweredIn } from "./sent.ts";
import { listBids, readTask, type Workload } from "./workload.ts";

/** Refusals because of a task's or conversation's state; its history shows whether they were right. */
const REFUSALS = [
  ...["task-not-open", "wrong-state", "task-locked", "bid-not-found", "not-hired"],
  "conversation-not-found",
];
/** Faults after which an instance cannot respond to the requests it had begun. */
const UNANSWERED = /instance killed|cut off from its clients/;
/** How long everybody is willing to wait for each last read. */
const READ_MS = 60_000;

/**
 * Reads everything once more, from both instances, and judges the histories with it. Beside them: stored counts and
 * states, tasks that nobody posted or that are there twice, and responses that nobody should get.
 * @returns a report, all problems, the histories that are not linearizable, how often what faults are injected for has
 * happened, and the number of acknowledged writes.
 */
export async function judge(target: Target, workload: Workload, phases: readonly Phase[]) {
  const { set, instances } = target;
  const { sent, sentFiles, tasks, conversations } = workload;
  const acknowledged = sent.filter(isAcknowledged);
  const unread = await readAll(target, workload);
  const unexplained = [...tasks.problems(), ...conversations.problems()];
  const reached = {
    ...workload.reached,
    "file sent": sentFiles.length,
    "election of another primary": (await set.term()) - 1,
    "instance ready again without a restart": instances.reduce((sum, each) => sum + each.recoveries(), 0),
  };
  const problems = [
    ...instances.flatMap((each) => (each.isRunning() ? [] : [`the process of ${each.url} is gone`])),
    ...unread,
    ...(await storedProblems(set.uri, workload)),
    ...(await fileProblems(target, workload)),
    ...unexplained.map(({ line }) => line),
    ...problemsOfRequests([...sent, ...workload.reads], phases),
    ...phases
      .filter((phase) => !acknowledged.some(({ at }) => isIn(phase, at)))
      .map(({ name }) => `nothing was acknowledged during "${name}"`),
  ];
  const sizes = ([tasks, conversations] as const).map((each) => each.counts());
  const report = [
    `- Writes: ${sent.length}, acknowledged ${acknowledged.length}, unanswered ${sent.filter(({ status }) => !status).length}`,
    `- Histories: ${sizes.map(({ things, operations }) => `${operations} operations on ${things}`).join(" tasks, ")} conversations; not linearizable ${unexplained.length}`,
    `- Reached: ${Object.entries(reached)
      .map(([what, times]) => `${what} ${times}`)
      .join(", ")}`,
    `- Members of the replica set that crashed or hung by themselves: ${set.crashes()}`,
  ].join("\n");
  const histories = unexplained.flatMap(({ line, operations }) => [line, ...operations, ""]).join("\n");
  return { report, problems, reached, histories, acknowledged: acknowledged.length };
}

/** Everybody reads all of their tasks, bids and conversations once more, which becomes part of each history. */
async function readAll({ instances }: Target, workload: Workload): Promise<string[]> {
  const at = instances.map((each) => ({ ...workload, send: createBalancer([each]) }));
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

/** What `npm run verify` checks, and tasks that nobody was told of or that were stored twice, on a majority of members. */
async function storedProblems(uri: string, { posted }: Workload): Promise<string[]> {
  await using client = await MongoClient.connect(uri, { readConcern: { level: "majority" } });
  const stored = collectionsOf(client.db());
  const tasks = await stored.tasks.find({}, { projection: { title: 1 } }).toArray();
  return [
    ...(await verifyProblems(client.db(), FINDINGS)),
    ...[...countsOf(tasks.map(({ title }) => title))].flatMap(([title, times]) => [
      ...(times > 1 ? [`task stored ${times} times: ${title}`] : []),
      ...((posted.get(title) ?? "refused") === "refused" ? [`task stored that was refused: ${title}`] : []),
    ]),
  ];
}

/** Responses that nobody should get, or that did not come in time although no fault explains it. */
function problemsOfRequests(sent: readonly Sent[], phases: readonly Phase[]): string[] {
  const held = phases.filter(({ name }) => UNANSWERED.test(name));
  const excused = new Set(held.flatMap((phase) => unansweredIn(phase, sent)));
  const texts = sent.flatMap((each) => {
    const { status, what, why = "", ms, at } = each;
    if (status === undefined) {
      const when = `${Math.round(at / 1_000)} s into the run`;
      return excused.has(each) ? [] : [`no response to ${what}, ${when}: ${why} after ${ms} ms`];
    }
    const isExpected = status < 300 || [429, 503].includes(status) || ["too-slow", ...REFUSALS].includes(why);
    return isExpected ? [] : [`${what} got ${status} ${why}`];
  });
  return [...countsOf(texts)].map(([text, times]) => `${times} × ${text}`);
}
