import { randomUUID } from "node:crypto";
import type { Conversation, ConversationRole, Message } from "../../../src/contract/index.ts";
import type { Call, Outcome } from "../balancer.ts";
import { endingOf, get, listBids, type OpenTask, pause, sendUntilSure, type Workload } from "../workload.ts";
import { placeFirstBid, postTask } from "../writers.ts";
import type { OpenConversation, Pair } from "./correspondence.ts";

/** How many turns each side takes before they open another conversation. */
const TURNS = 12;
/** Small, so that there are several pages. */
const PAGE_SIZE = 5;
const MAX_PAGES = 3;

/** Opens one conversation after another, in which both sides write, read and mark as seen concurrently. */
export async function converse(workload: Workload, pair: Pair): Promise<void> {
  while (!workload.signal.aborted) {
    const conversation = await openConversation(workload, pair);
    if (conversation)
      await Promise.all([talk(workload, conversation, "client"), talk(workload, conversation, "freelancer")]);
    else await pause(workload);
  }
}

async function talk(workload: Workload, conversation: OpenConversation, by: ConversationRole): Promise<void> {
  const { random, signal } = workload;
  for (let turn = 0; turn < TURNS && !signal.aborted; turn++) {
    const chance = random();
    if (chance < 0.35) await sendMessage(workload, conversation, by);
    else if (chance < 0.45)
      // As in two tabs.
      await Promise.all([sendMessage(workload, conversation, by), readPages(workload, conversation, by)]);
    else if (chance < 0.65) await markSeen(workload, conversation, by);
    else if (chance < 0.8) await readPages(workload, conversation, by);
    else if (chance < 0.88) await readConversation(workload, conversation, by);
    else if (chance < 0.95) await readList(workload, conversation, by);
    else await pry(workload, conversation);
    await pause(workload);
  }
}

/** @returns undefined if one of the steps was not acknowledged. */
export async function openConversation(
  workload: Workload,
  { client, freelancer, outsider }: Pair,
): Promise<OpenConversation | undefined> {
  const { conversations, random } = workload;
  const task = await postTask(workload, client, { withKey: true });
  if (!task || !(await placeFirstBid(workload, task, freelancer))) return undefined;
  const { status, body } = await listBids(workload, task);
  const [bid] = status === 200 ? (body as { _id: string }[]) : [];
  if (!bid) return undefined;
  const chosen = await choose(workload, task, { bid: bid._id, freelancer: freelancer.uid }, random() < 0.5);
  if (endingOf(chosen) !== "acknowledged") return undefined;
  const call: Call = { method: "POST", path: `/tasks/${task.id}/bids/${bid._id}/conversation` };
  const openOnce = () =>
    sendUntilSure(workload, client, { ...call, token: client.token }, "open conversation", () => undefined);
  // In two tabs, through both instances: there must still be only one.
  const ids = (await Promise.all([openOnce(), openOnce()])).flatMap(insertedId);
  const [id] = ids;
  if (id === undefined) return undefined;
  if (ids.some((other) => other !== id))
    conversations.problems.push(
      `${task.id}: two conversations with the same freelancer, ${ids.join(" and ")}`,
    );
  const conversation = { id, client, freelancer, outsider, known: { client: 0, freelancer: 0 } };
  conversations.history.begin(id, undefined);
  conversations.opened.push(conversation);
  return conversation;
}

/** Awards or shortlists the only bid. */
function choose(
  workload: Workload,
  task: OpenTask,
  { bid, freelancer }: { bid: string; freelancer: string },
  isAward: boolean,
): Promise<Outcome> {
  const { owner, id } = task;
  if (!isAward) {
    const body = { state: "shortlisted" };
    const call = { method: "PATCH", path: `/tasks/${id}/bids/${bid}`, body, token: owner.token };
    return sendUntilSure(workload, owner, call, "shortlist", () => undefined);
  }
  const call = { method: "POST", path: `/tasks/${id}/award`, body: { bidId: bid }, token: owner.token };
  return sendUntilSure(workload, owner, call, "award", (outcome, span) =>
    workload.history.add(id, { kind: "award", to: freelancer }, outcome, span),
  );
}

/** Sends a message, and repeats it with the same `Idempotency-Key` until the outcome is known. */
export async function sendMessage(
  workload: Workload,
  conversation: OpenConversation,
  by: ConversationRole,
): Promise<Outcome> {
  const { history, ledger } = workload.conversations;
  const { id } = conversation;
  const key = randomUUID();
  const person = conversation[by];
  const call: Call = {
    method: "POST",
    path: `${pathOf(id)}/messages`,
    headers: { "idempotency-key": key },
    body: { text: key },
    token: person.token,
  };
  return sendUntilSure(workload, person, call, "message", (outcome, span) => {
    history.add(id, { kind: "send", by, key }, outcome, span);
    const ending = endingOf(outcome);
    const number = ending === "acknowledged" ? { number: (outcome.body as Message).number } : {};
    ledger.sent(id, key, span, { ending, ...number });
  });
}

/** Marks everything read so far as seen. */
export async function markSeen(
  workload: Workload,
  conversation: OpenConversation,
  by: ConversationRole,
): Promise<Outcome | undefined> {
  const { history, ledger } = workload.conversations;
  const { id, known } = conversation;
  const upTo = known[by];
  if (upTo === 0) return undefined;
  const { token } = conversation[by];
  const call = { method: "POST", path: `${pathOf(id)}/seen`, body: { number: upTo }, token };
  const beganAt = workload.now();
  let mayHaveChanged = false;
  const outcome = await sendUntilSure(workload, conversation[by], call, "see", (each, span) => {
    history.add(id, { kind: "see", by, upTo }, each, span);
    const { modifiedCount = 1 } = each.status === 200 ? (each.body as { modifiedCount: number }) : {};
    if (endingOf(each) !== "refused" && modifiedCount > 0) mayHaveChanged = true;
  });
  if (mayHaveChanged) ledger.changed(id, { beganAt, endedAt: workload.now() });
  return outcome;
}

/** Reads the newest messages, page by page. @returns undefined if a page could not be read. */
export async function readPages(
  workload: Workload,
  conversation: OpenConversation,
  by: ConversationRole,
  { limit = PAGE_SIZE, pages = MAX_PAGES } = {},
): Promise<Message[] | undefined> {
  const { id, known } = conversation;
  const messages: Message[] = [];
  let path: string | undefined = `${pathOf(id)}/messages?limit=${limit}`;
  for (let page = 0; path !== undefined && page < pages; page++) {
    const before = messages.at(-1)?.number;
    const { outcome, span } = await get(workload, path, conversation[by]);
    const input = { kind: "page", by, limit, ...(before !== undefined && { before }) } as const;
    workload.conversations.history.add(id, input, outcome, span);
    if (outcome.status !== 200) return undefined;
    messages.push(...(outcome.body as Message[]));
    path = outcome.next;
  }
  known[by] = Math.max(known[by], messages[0]?.number ?? 0);
  return messages;
}

/** @returns undefined if it could not be read. */
export async function readConversation(
  workload: Workload,
  { id, ...pair }: OpenConversation,
  by: ConversationRole,
): Promise<Conversation | undefined> {
  const { outcome, span } = await get(workload, pathOf(id), pair[by]);
  workload.conversations.history.add(id, { kind: "read", by }, outcome, span);
  return outcome.status === 200 ? (outcome.body as Conversation) : undefined;
}

/** Reads the list, which counts as reading each conversation in it. All that were opened before must be listed. */
async function readList(workload: Workload, pair: OpenConversation, by: ConversationRole): Promise<void> {
  const { history, ledger, opened, problems } = workload.conversations;
  const isWritten = (id: string) => ledger.messagesOf(id).some(({ ending }) => ending === "acknowledged");
  // A freelancer's list contains only conversations with messages.
  const own = opened.filter((each) => each[by] === pair[by] && (by === "client" || isWritten(each.id)));
  const { outcome, span } = await get(workload, "/me/conversations?limit=50", pair[by]);
  if (outcome.status !== 200) return;
  const listed = new Map((outcome.body as Conversation[]).map((each) => [each._id, each]));
  for (const [id, body] of listed) history.add(id, { kind: "read", by }, { ...outcome, body }, span);
  const missing = outcome.next === undefined ? own.filter(({ id }) => !listed.has(id)) : [];
  problems.push(...missing.map(({ id }) => `${id} is missing from the list of the ${by}`));
}

async function pry(workload: Workload, { id, outsider }: OpenConversation): Promise<void> {
  const path = workload.random() < 0.5 ? pathOf(id) : `${pathOf(id)}/messages`;
  const { outcome, span } = await get(workload, path, outsider);
  workload.conversations.history.add(id, { kind: "pry" }, outcome, span);
}

function pathOf(id: string): string {
  return `/me/conversations/${id}`;
}

function insertedId({ body }: Outcome): string | [] {
  return (body as { insertedId?: string } | undefined)?.insertedId ?? [];
}
