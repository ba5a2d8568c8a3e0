import { setTimeout as sleep } from "node:timers/promises";
import type { Site } from "./faults.ts";
import { figuresOf, isAcknowledged, type Phase, type Sent, silentIn } from "./journal.ts";
import type { Findings } from "./ledger.ts";
import { chaosReport } from "./report.ts";
import { membersAgree, readStored, staleAnswers } from "./verify.ts";
import type { Writing } from "./writers.ts";

/** What a run came to: figures for people, and everything that must not be. */
export type Verdict = { report: string; problems: string[]; acknowledged: number };

/** Every request ends within five seconds; the rest is for a machine with other work. */
const LONGEST_MS = 6_000;
const SAMPLE = 40;
/** A member that was down for a while, on a busy machine, has much to catch up with. */
const AGREE_MS = 60_000;

/** Compares the writers' account with the database, its members with each other, and the instances with both. */
export async function judge({
  set,
  instances,
  problems: seen,
  writing,
  phases,
}: Omit<Site, "roll"> & { writing: Writing; phases: readonly Phase[] }): Promise<Verdict> {
  // Work whose answer was due before it was done goes on for some seconds.
  const agreed = await soon(() => membersAgree(set.members));
  const stored = await readStored(set.uri);
  const findings = writing.ledger.compare(stored);
  const stale = await staleAnswers(instances, stored.tasks.slice(-SAMPLE));
  const problems = [
    ...counted(seen),
    ...problemsOf(findings),
    ...(agreed ? [] : ["the members of the replica set do not hold the same"]),
    ...stale.map((text) => `a stale answer: ${text}`),
    ...problemsOfRequests(writing.sent),
    ...phases.flatMap((phase) => problemsOfPhase(phase, writing.sent)),
  ];
  const acknowledged = writing.sent.filter(isAcknowledged).length;
  const report = chaosReport({
    phases,
    sent: writing.sent,
    findings,
    stored,
    counts: writing.ledger.counts(),
  });
  return { report, problems, acknowledged };
}

function problemsOf({ overtaken: _, ...findings }: Findings): string[] {
  return Object.entries(findings).flatMap(([kind, found]) => found.map((text) => `${kind}: ${text}`));
}

function problemsOfRequests(sent: readonly Sent[]): string[] {
  const odd = sent.filter(({ status = 503 }) => status >= 300 && status !== 503 && status !== 429);
  const slow = sent.filter(({ ms }) => ms > LONGEST_MS);
  return [
    ...counted(odd.map(({ what, status, why }) => `${what} was answered ${status} ${why ?? ""}`)),
    ...slow.map(({ what, ms, at }) => `${what} took ${ms} ms, ${Math.round(at / 1_000)} s into the run`),
  ];
}

function problemsOfPhase(phase: Phase, sent: readonly Sent[]): string[] {
  const { acknowledged } = figuresOf(phase, sent);
  const silent = silentIn(phase, sent);
  const problems = acknowledged === 0 ? [`nothing was acknowledged during "${phase.name}"`] : [];
  // An instance that is killed cannot answer what it had begun; everything else must.
  if (/instance killed/.test(phase.name)) return problems;
  const whys = silent.map(
    ({ what, why, ms }) => `no answer to ${what}: ${why} after ${(ms / 1_000).toFixed(0)} s`,
  );
  return [...problems, ...counted(whys).map((text) => `during "${phase.name}" ${text}`)];
}

/** Each text once, with how often it came. */
function counted(texts: readonly string[]): string[] {
  return [...new Set(texts)].map((text) => `${texts.filter((other) => other === text).length} × ${text}`);
}

async function soon(question: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + AGREE_MS;
  while (Date.now() < deadline) {
    if (await question()) return true;
    await sleep(250);
  }
  return false;
}
