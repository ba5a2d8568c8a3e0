import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Conversation, ConversationRole, Message } from "../../src/contract/index.ts";
import { aTaskDraft } from "../../test/builders.ts";
import { type Person, signUp } from "../../test/people.ts";
import { anyOf } from "../lib/random.ts";
import type { Call } from "../lib/request.ts";
import type { Action } from "../model/task.ts";
import { requestOf } from "../model/task-requests.ts";
import { isAcknowledged, isUndone, type Outcome } from "./balancer.ts";
import { contentOf, uploadFile } from "./files.ts";
import {
  endingOf,
  get,
  keep,
  listBids,
  type OpenConversation,
  type OpenTask,
  pause,
  readTask,
  sendUntilSure,
  type Workload,
} from "./workload.ts";

const CLIENTS = 8;
const FREELANCERS = 24;
/** Each of a client and a freelancer who write to each other. */
const PAIRS = 6;
const VISITORS = 4;

/** Signs everybody up and lets them work until the workload's signal. @returns their work. */
export async function startPeople(workload: Workload): Promise<Promise<void>[]> {
  const people = (count: number) => Promise.all(Array.from({ length: count }, () => signUp()));
  const clients = await people(CLIENTS);
  const freelancers = await people(FREELANCERS);
  const [outsider] = freelancers as [Person];
  const writers = await people(2 * PAIRS);
  const posting = clients.map((person) => postTasks(workload, person));
  // Waits for several tasks: bids on a single one would only queue up.
  while (workload.open.length < clients.length) await sleep(50);
  return [
    ...posting,
    ...clients.map((person) => decide(workload, person)),
    ...freelancers.map((person) => placeBids(workload, person)),
    ...Array.from({ length: VISITORS }, () => visit(workload)),
    ...Array.from({ length: PAIRS }, () => {
      const [client, freelancer] = writers.splice(0, 2) as [Person, Person];
      return converse(workload, { client, freelancer, outsider });
    }),
  ];
}

/** Acts as a client: posts task after task, every other one with an `Idempotency-Key` and retries until acknowledged. */
async function postTasks(workload: Workload, person: Person): Promise<void> {
  for (let number = 0; !workload.signal.aborted; number++) {
    const task = await postTask(workload, person, number % 2 === 0);
    if (task) keep(workload.open, task);
    await pause(workload);
  }
}

/** @returns undefined if it was not acknowledged. */
async function postTask(workload: Workload, owner: Person, withKey: boolean): Promise<OpenTask | undefined> {
  const { posted, tasks, allTasks, random } = workload;
  const draft = aTaskDraft({
    title: `Chaos ${owner.uid.slice(0, 6)} ${randomUUID()}`,
    budget: 50 + Math.floor(random() * 900),
  });
  const call: Call = { method: "POST", path: "/tasks", body: draft };
  if (withKey) call.headers = { "idempotency-key": randomUUID() };
  let isUnsure = false;
  const outcome = await sendUntilSure(workload, owner, call, withKey ? "post with key" : "post", (each) => {
    if (endingOf(each) === "unsure" && !isUndone(each)) isUnsure = true;
  });
  if (!isAcknowledged(outcome)) {
    posted.set(draft.title, isUnsure ? "unsure" : "refused");
    return undefined;
  }
  const { insertedId: id } = outcome.body as { insertedId: string };
  posted.set(draft.title, id);
  const task = { id, owner, draft };
  tasks.begin(id, { owner: owner.uid, draft });
  allTasks.push(task);
  return task;
}

/** Does something to a task, with retries until its outcome is known, and records it in the task's history. */
function act(
  workload: Workload,
  task: OpenTask,
  person: Person,
  action: Action,
  bidId?: string,
): Promise<Outcome> {
  const call = requestOf(action, { ...task, bidId, now: Date.now() });
  return sendUntilSure(workload, person, call, action.kind, (outcome, span) =>
    workload.tasks.add(task.id, { by: person.uid, action }, outcome, span),
  );
}

/** Acts as a freelancer: places, changes and withdraws bids on the newest tasks, and delivers, hired or not. */
async function placeBids(workload: Workload, person: Person): Promise<void> {
  const { open, begun, random, signal } = workload;
  const known = new Set<string>();
  while (!signal.aborted) {
    // Sometimes returns to a task they know.
    const mine = open.filter(({ id }) => known.has(id));
    const task = anyOf(random() < 0.25 && mine.length > 0 ? mine : open, random);
    if (task) {
      const amount = Math.round(1_000 + random() * 90_000) / 100;
      const chance = random();
      if (known.has(task.id) && chance < 0.4) await act(workload, task, person, { kind: "withdraw" });
      else await act(workload, task, person, { kind: "bid", ...(chance < 0.7 && { amount }) });
      known.add(task.id);
      if (random() < 0.3) await readTask(workload, task, person);
      if (random() < 0.05) await act(workload, task, person, { kind: "deliver" });
    }
    const job = begun.findLast(({ hired }) => hired === person.uid);
    if (job && random() < 0.3) await act(workload, job, person, { kind: "deliver" });
    await pause(workload);
  }
}

/** Acts as a client: awards, cancels, completes, reopens and edits their own tasks, and reads the bids. */
async function decide(workload: Workload, person: Person): Promise<void> {
  const { open, begun, random, signal } = workload;
  for (let number = 0; !signal.aborted; number++) {
    const ownOf = (tasks: readonly OpenTask[]) => tasks.filter(({ owner }) => owner === person);
    const underWay = random() < 0.5 ? ownOf(begun) : [];
    const task = anyOf(underWay.length > 0 ? underWay : ownOf(open), random);
    if (task) {
      await decideOn(workload, task, number);
      await readTask(workload, task, person);
    }
    await pause(workload);
    await pause(workload);
  }
}

async function decideOn(workload: Workload, task: OpenTask, number: number): Promise<unknown> {
  const { random, begun } = workload;
  const does = (action: Action) => act(workload, task, task.owner, action);
  const chance = random();
  if (chance < 0.35) return award(workload, task);
  if (chance < 0.42) return does({ kind: "request-changes" });
  if (chance < 0.48) {
    const outcome = await does({ kind: "cancel", reason: "Chaos." });
    return isAcknowledged(outcome) && keep(begun, task);
  }
  if (chance < 0.55) return does({ kind: "complete" });
  if (chance < 0.7) return does({ kind: "reopen" });
  if (chance < 0.85) return does({ kind: "edit", description: `Description ${number}` });
  return listBids(workload, task);
}

/** Awards to one or two bidders at the same time, as in two tabs, while others bid and withdraw. */
async function award(workload: Workload, task: OpenTask): Promise<void> {
  const { body, status } = await listBids(workload, task);
  const bids = status === 200 ? (body as { _id: string; freelancerId: string }[]) : [];
  const chosen = [anyOf(bids, workload.random), anyOf(bids, workload.random)];
  await Promise.all(
    chosen.map(async (bid) => {
      if (!bid) return;
      const action = { kind: "award", whose: bid.freelancerId } as const;
      if (!isAcknowledged(await act(workload, task, task.owner, action, bid._id))) return;
      task.hired = bid.freelancerId;
      keep(workload.begun, task);
    }),
  );
}

/** Acts as an anonymous visitor: opens one task after another, new and old ones. */
async function visit(workload: Workload): Promise<void> {
  const { open, allTasks, random, signal } = workload;
  while (!signal.aborted) {
    const task = anyOf(random() < 0.5 ? open : allTasks, random);
    if (task) await readTask(workload, task);
    await pause(workload);
  }
}

type Pair = Pick<OpenConversation, "client" | "freelancer" | "outsider">;
/** How many turns each side takes before they open another conversation. */
const TURNS = 12;
/** Small, so that there are several pages. */
const PAGE_SIZE = 5;
const MAX_PAGES = 3;

/** Opens one conversation after another, in which both sides write, read and mark as seen concurrently. */
async function converse(workload: Workload, pair: Pair): Promise<void> {
  while (!workload.signal.aborted) {
    const conversation = await openConversation(workload, pair);
    if (conversation)
      await Promise.all([talk(workload, conversation, "client"), talk(workload, conversation, "freelancer")]);
    else await pause(workload);
  }
}

/** About a new task, with its only bidder. @returns undefined if one of the steps was not acknowledged. */
async function openConversation(workload: Workload, pair: Pair): Promise<OpenConversation | undefined> {
  const { client, freelancer } = pair;
  const task = await postTask(workload, client, true);
  if (!task || !isAcknowledged(await act(workload, task, freelancer, { kind: "bid" }))) return undefined;
  const { status, body } = await listBids(workload, task);
  const [bid] = status === 200 ? (body as { _id: string }[]) : [];
  if (!bid) return undefined;
  const whose = freelancer.uid;
  const action: Action =
    workload.random() < 0.5 ? { kind: "award", whose } : { kind: "triage", state: "shortlisted", whose };
  if (!isAcknowledged(await act(workload, task, client, action, bid._id))) return undefined;
  const call: Call = { method: "POST", path: `/tasks/${task.id}/bids/${bid._id}/conversation` };
  const outcome = await sendUntilSure(workload, client, call, "open conversation", () => undefined);
  if (!isAcknowledged(outcome)) return undefined;
  const { insertedId: id } = outcome.body as { insertedId: string };
  workload.conversations.begin(id, undefined);
  const conversation = { id, ...pair, known: { client: 0, freelancer: 0 } };
  workload.allConversations.push(conversation);
  return conversation;
}

async function talk(workload: Workload, conversation: OpenConversation, by: ConversationRole): Promise<void> {
  const { random, signal } = workload;
  for (let turn = 0; turn < TURNS && !signal.aborted; turn++) {
    const chance = random();
    if (chance < 0.1) await sendFile(workload, conversation, by);
    else if (chance < 0.35) await sendMessage(workload, conversation, by);
    else if (chance < 0.45)
      // As in two tabs.
      await Promise.all([sendMessage(workload, conversation, by), readPages(workload, conversation, by)]);
    else if (chance < 0.65) await markSeen(workload, conversation, by);
    else if (chance < 0.8) await readPages(workload, conversation, by);
    else if (chance < 0.95) await readConversation(workload, conversation, by);
    else await readConversation(workload, conversation, "outsider");
    await pause(workload);
  }
}

const pathOf = ({ id }: OpenConversation) => `/me/conversations/${id}`;

/**
 * Sends a message, and repeats it with the same `Idempotency-Key` until the outcome is known.
 * @returns whether it was acknowledged.
 */
async function sendMessage(
  workload: Workload,
  conversation: OpenConversation,
  by: ConversationRole,
  files?: string[],
): Promise<boolean> {
  const key = randomUUID();
  const headers = { "idempotency-key": key };
  const call: Call = {
    method: "POST",
    path: `${pathOf(conversation)}/messages`,
    headers,
    body: { text: key, files },
  };
  const what = files ? "message with a file" : "message";
  const outcome = await sendUntilSure(workload, conversation[by], call, what, (each, span) =>
    workload.conversations.add(conversation.id, { by, sends: key }, each, span),
  );
  return isAcknowledged(outcome);
}

/** Uploads a file, and sends it with a message. */
async function sendFile(workload: Workload, conversation: OpenConversation, by: ConversationRole) {
  const content = contentOf(randomUUID());
  const id = await uploadFile(workload, conversation[by], content);
  if (id && (await sendMessage(workload, conversation, by, [id])))
    workload.sentFiles.push({ id, content, conversation });
}

/** Marks everything read so far as seen. */
async function markSeen(workload: Workload, conversation: OpenConversation, by: ConversationRole) {
  const number = conversation.known[by];
  if (number === 0) return;
  const call = { method: "POST", path: `${pathOf(conversation)}/seen`, body: { number } };
  await sendUntilSure(workload, conversation[by], call, "see", (outcome, span) =>
    workload.conversations.add(conversation.id, { by, hasSeen: number }, outcome, span),
  );
}

/** Reads the newest messages, page by page. */
export async function readPages(
  workload: Workload,
  conversation: OpenConversation,
  by: ConversationRole,
  { limit = PAGE_SIZE, pages = MAX_PAGES } = {},
): Promise<void> {
  const messages: Message[] = [];
  let path: string | undefined = `${pathOf(conversation)}/messages?limit=${limit}`;
  for (let page = 0; path !== undefined && page < pages; page++) {
    const before = messages.at(-1)?.number;
    const { outcome, span } = await get(workload, path, conversation[by]);
    const input = { reads: "page", by, limit, ...(before !== undefined && { before }) } as const;
    workload.conversations.add(conversation.id, input, outcome, span);
    if (outcome.status !== 200) return;
    messages.push(...(outcome.body as Message[]));
    path = outcome.next;
  }
  const { known } = conversation;
  known[by] = Math.max(known[by], messages[0]?.number ?? 0);
}

/** @returns undefined if it could not be read. */
export async function readConversation(
  workload: Workload,
  conversation: OpenConversation,
  by: ConversationRole | "outsider",
): Promise<Conversation | undefined> {
  const { outcome, span } = await get(workload, pathOf(conversation), conversation[by]);
  workload.conversations.add(conversation.id, { reads: "conversation", by }, outcome, span);
  return outcome.status === 200 ? (outcome.body as Conversation) : undefined;
}
