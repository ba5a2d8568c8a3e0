import { setTimeout as sleep } from "node:timers/promises";
import type { TaskDraft } from "../../src/contract/index.ts";
import type { Person } from "../../test/people.ts";
import { seededRandom } from "../lib/random.ts";
import type { Call } from "../lib/request.ts";
import { isAcknowledged, isUndone, type Outcome, type Send } from "./balancer.ts";
import { createConversationHistory } from "./history/conversation-history.ts";
import type { Span } from "./history/recorder.ts";
import { createTaskHistory } from "./history/task-history.ts";
import type { Sent } from "./sent.ts";

/** A file of an acknowledged message. */
type SentFile = { id: string; content: string; conversation: OpenConversation };

/** State shared by everybody who sends requests in a run. */
export type Workload = ReturnType<typeof createWorkload>;

/**
 * @param origins of the instances, for uploads.
 * @param seed of the random choices.
 * @param signal Once aborted, nothing new is begun, but unknown outcomes are still retried.
 */
export function createWorkload(send: Send, origins: readonly string[], seed: number, signal: AbortSignal) {
  const began = performance.now();
  return {
    ...{ send, origins, signal },
    /** Returns numbers from 0 up to 1, the same for every run with the same seed. */
    random: seededRandom(seed),
    /** Milliseconds since the run began. */
    now: () => Math.round(performance.now() - began),
    tasks: createTaskHistory(),
    conversations: createConversationHistory(),
    /** How posting each title ended: with an id, not at all, or unknown. */
    posted: new Map<string, string | "refused" | "unsure">(),
    sentFiles: [] as SentFile[],
    /** Writes, and reads. */
    sent: [] as Sent[],
    reads: [] as Sent[],
    /** How often what faults are injected for has happened: what a run never reached, it has not tested. */
    reached: {
      "request repeated after an unknown outcome": 0,
      "response replayed from what was recorded": 0,
      "request of one instance completed by another": 0,
      "upload resumed after a fault": 0,
    },
    /** Tasks in use, and those that were awarded or cancelled, newest last. */
    open: [] as OpenTask[],
    begun: [] as OpenTask[],
    /** All tasks and conversations, which are read once more at the end. */
    allTasks: [] as OpenTask[],
    allConversations: [] as OpenConversation[],
  };
}

export type OpenTask = {
  id: string;
  owner: Person;
  draft: TaskDraft;
  /** The uid of the freelancer who was last acknowledged as hired. */
  hired?: string;
};

export type OpenConversation = {
  id: string;
  client: Person;
  freelancer: Person;
  outsider: Person;
  /** The number of the last message that each side has read. */
  known: { client: number; freelancer: number };
};
/** How a write ended for its sender; `unsure` after a 503 without an outcome or no response at all. */
type Ending = "acknowledged" | "refused" | "unsure";

/** The rate limits allow two writes a second per person. */
const PAUSE_MS = 700;
/** A writer gives up after this time without a known outcome, and the run reports it. */
const GIVE_UP_MS = 60_000;
const VISITOR = "192.0.2.50";
/** Few, so that writes to the same task compete. */
const KEPT_TASKS = 24;

/** Appends a task, and drops the oldest from a long list. */
export function keep(tasks: OpenTask[], task: OpenTask): void {
  if (!tasks.includes(task)) tasks.push(task);
  if (tasks.length > KEPT_TASKS) tasks.shift();
}

/** Sends a request, and if it is safe to, repeats it until its outcome is known. */
export async function sendUntilSure(
  workload: Workload,
  person: Person,
  call: Call,
  what: string,
  record: (outcome: Outcome, span: Span) => void,
): Promise<Outcome> {
  const isRetried = what !== "post";
  const started = workload.now();
  let before: Outcome | undefined;
  for (;;) {
    const at = workload.now();
    const headers = { ...call.headers, "x-forwarded-for": addressOf(person) };
    const outcome = await workload.send({ ...call, token: person.token, headers });
    note(workload.reached, before, outcome);
    workload.sent.push(sentOf(what, at, outcome));
    record(outcome, { beganAt: at, endedAt: workload.now() });
    const limited = outcome.status === 429;
    const open = endingOf(outcome) === "unsure" || limited;
    if (!open || !isRetried || workload.now() - started > GIVE_UP_MS) return outcome;
    before = outcome;
    // Follows Retry-After, but retries sooner after a 503, so that writes succeed as soon as they can.
    await sleep(limited ? outcome.retryAfterS * 1_000 : PAUSE_MS);
  }
}

function note(reached: Workload["reached"], before: Outcome | undefined, outcome: Outcome): void {
  const isRepeated = before !== undefined && !isUndone(before);
  if (isRepeated) reached["request repeated after an unknown outcome"] += 1;
  if (outcome.replayed) reached["response replayed from what was recorded"] += 1;
  if (isRepeated && isAcknowledged(outcome) && before.by !== outcome.by)
    reached["request of one instance completed by another"] += 1;
}

export function endingOf(outcome: Outcome): Ending {
  if (isAcknowledged(outcome)) return "acknowledged";
  return outcome.status === undefined || outcome.status >= 500 ? "unsure" : "refused";
}

function sentOf(what: string, at: number, { ms, status, why, body }: Outcome): Sent {
  const code = typeof body === "object" && body !== null && "code" in body ? String(body.code) : undefined;
  return { at, ms, status, what, why: why ?? code };
}

/** Each person has their own address, as behind a real proxy. */
function addressOf({ uid }: Person): string {
  const [a = 0, b = 0, c = 0] = Buffer.from(uid);
  return `10.${a}.${b}.${c}`;
}

export function pause({ random, signal }: Workload): Promise<void> {
  return sleep(PAUSE_MS * (0.8 + 0.6 * random()), undefined, { signal }).catch(() => undefined);
}

/** Reads a task; without a person, as an anonymous visitor. */
export async function readTask(workload: Workload, { id }: OpenTask, person?: Person): Promise<Outcome> {
  const { outcome, span } = await get(workload, `/tasks/${id}`, person);
  const by = person?.uid ?? "visitor";
  workload.tasks.add(id, { by, reads: "task" }, outcome, { ...span, anonymous: !person });
  return outcome;
}

/** Lists the bids on a task, as its owner. */
export async function listBids(workload: Workload, { id, owner }: OpenTask): Promise<Outcome> {
  const { outcome, span } = await get(workload, `/tasks/${id}/bids?limit=100`, owner);
  workload.tasks.add(id, { by: owner.uid, reads: "bids" }, outcome, span);
  return outcome;
}

/** Sends one GET request; without a person, as an anonymous visitor. */
export async function get(
  { send, now, reads }: Workload,
  path: string,
  person: Person | undefined,
): Promise<{ outcome: Outcome; span: Span }> {
  const beganAt = now();
  const headers = { "x-forwarded-for": person ? addressOf(person) : VISITOR };
  const outcome = await send({ method: "GET", path, token: person?.token, headers });
  reads.push(sentOf(`GET ${path.replace(/[\da-f]{24}/g, ":id").replace(/\?.*/, "")}`, beganAt, outcome));
  return { outcome, span: { beganAt, endedAt: now() } };
}
