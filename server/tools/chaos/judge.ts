import { waitUntil } from "../lib/wait-until.ts";
import type { Instance, Target } from "./instance.ts";
import type { Findings, StoredBid, StoredTask } from "./ledger.ts";
import type { Member } from "./replica-set.ts";
import { chaosReport, figuresOf, isAcknowledged, type Phase, type Sent, unansweredIn } from "./report.ts";
import { withStoredData } from "./stored-data.ts";
import type { Workload } from "./workload.ts";

/** The result of a run: figures for the report, and all problems. */
export type Verdict = {
  report: string;
  problems: string[];
  /** The whole histories that are not linearizable. */
  histories: string;
  acknowledged: number;
};

/** Every request should end within five seconds; the rest allows for a busy machine. */
const MAX_REQUEST_MS = 6_000;
const SAMPLE = 40;
/** Refusals because of a task's or conversation's state; its history shows whether they were right. */
const REFUSALS = [
  ...["task-not-open", "wrong-state", "task-locked", "bid-not-found", "not-hired"],
  "conversation-not-found",
];
/** Faults that kill an instance, which then cannot respond to the requests it had begun. */
const KILLED = /instance killed/;
const COMPARED = ["tasks", "bids", "conversations", "messages"];
/** A member that was down needs a while to catch up on a busy machine. */
const AGREE = { timeoutMs: 60_000, everyMs: 250 };

/** Compares the ledger with the database, the database's members with each other, and the instances with both. */
export async function judge({
  set,
  instances,
  problems: seen,
  workload,
  notificationProblems,
  lines,
  phases,
}: Omit<Target, "random"> & {
  workload: Workload;
  notificationProblems: readonly string[];
  /** Additional lines for the report. */
  lines: readonly string[];
  phases: readonly Phase[];
}): Promise<Verdict> {
  // Work that continues after its response takes some seconds.
  const agreed = await waitUntil(() => membersAgree(set.members), AGREE);
  const stored = await readStored(set.uri);
  const findings = workload.ledger.compare(stored);
  const unexplained = [...workload.history.problems(), ...workload.conversations.history.problems()];
  const requests = [...workload.sent, ...workload.reads];
  const stale = await staleResponses(instances, stored.tasks.slice(-SAMPLE));
  const problems = [
    ...counted(seen),
    ...problemsOf(findings),
    ...(agreed ? [] : ["the members of the replica set differ"]),
    ...stale.map((text) => `a stale response: ${text}`),
    ...unexplained.map(({ line }) => line),
    ...notificationProblems,
    ...problemsOfRequests(requests),
    ...withoutResponse(requests, phases),
    ...phases
      .filter((phase) => figuresOf(phase, workload.sent).acknowledged === 0)
      .map(({ name }) => `nothing was acknowledged during "${name}"`),
  ];
  const acknowledged = workload.sent.filter(isAcknowledged).length;
  const report = chaosReport({
    phases,
    sent: workload.sent,
    reads: workload.reads,
    findings,
    stored,
    counts: workload.ledger.counts(),
    histories: workload.history.counts(),
    unexplained: unexplained.length,
    lines,
  });
  const histories = unexplained.flatMap(({ line, operations }) => [line, ...operations, ""]).join("\n");
  return { report, problems, histories, acknowledged };
}

function problemsOf({ overtaken: _, ...findings }: Findings): string[] {
  return Object.entries(findings).flatMap(([kind, found]) => found.map((text) => `${kind}: ${text}`));
}

/** Responses that nobody should get, or that took too long. */
export function problemsOfRequests(sent: readonly Sent[]): string[] {
  const unexpected = sent.filter(
    ({ status = 503, why = "" }) =>
      status >= 300 && status !== 503 && status !== 429 && !REFUSALS.includes(why),
  );
  const slow = sent.filter(({ ms }) => ms > MAX_REQUEST_MS);
  return [
    ...counted(unexpected.map(({ what, status, why }) => `${what} got ${status} ${why ?? ""}`)),
    ...slow.map(({ what, ms, at }) => `${what} took ${ms} ms, ${Math.round(at / 1_000)} s into the run`),
  ];
}

/** Requests that got no response although no instance was killed meanwhile. */
export function withoutResponse(sent: readonly Sent[], phases: readonly Phase[]): string[] {
  const during = new Map(
    phases.flatMap((phase) => unansweredIn(phase, sent).map((each) => [each, phase.name] as const)),
  );
  const texts = sent
    .filter(({ status }) => status === undefined)
    .map((each) => ({ ...each, name: during.get(each) ?? "no fault" }))
    .filter(({ name }) => !KILLED.test(name))
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

/** Tasks and bids as stored on a majority of members. */
function readStored(uri: string): Promise<{ tasks: StoredTask[]; bids: StoredBid[] }> {
  return withStoredData(uri, async ({ tasks, bids }) => {
    const [taskDocs, bidDocs] = [await tasks.find().toArray(), await bids.find().toArray()];
    const budgets = new Map(taskDocs.map(({ _id, budget }) => [_id.toHexString(), budget]));
    return {
      tasks: taskDocs.map(({ _id, title, bidsCount }) => ({ id: _id.toHexString(), title, bidsCount })),
      bids: bidDocs.map(({ taskId, bidderId, amount }) => {
        const id = taskId.toHexString();
        // A one-click bid is at the task's budget.
        return { taskId: id, bidderId, amount: amount ?? budgets.get(id) ?? Number.NaN };
      }),
    };
  });
}

/** Whether all members hold the same tasks, bids and messages, by MongoDB's own hash of each collection. */
async function membersAgree(members: readonly Member[]): Promise<boolean> {
  const hashes = new Set<string>();
  for (const each of members) {
    const { collections } = await each.command({ dbHash: 1, collections: COMPARED }, "tasklane");
    if (COMPARED.some((name) => !collections[name])) return false;
    hashes.add(JSON.stringify(COMPARED.map((name) => collections[name])));
  }
  return hashes.size === 1;
}

/** Tasks for which an instance reports a different number of bids than is stored, because of a stale cache. */
async function staleResponses(
  instances: readonly Instance[],
  tasks: readonly StoredTask[],
): Promise<string[]> {
  const stale: string[] = [];
  for (const { url } of instances) {
    for (const { id, bidsCount } of tasks) {
      const response = await fetch(`${url}/tasks/${id}`);
      const body = (await response.json()) as { bidsCount?: number };
      if (body.bidsCount !== bidsCount)
        stale.push(`${url} ${id}: ${response.status}, bidsCount ${body.bidsCount}, stored ${bidsCount}`);
    }
  }
  return stale;
}
