import { randomUUID } from "node:crypto";
import type { Conversation, ConversationRole, Message } from "../../src/contract/index.ts";
import type { Call, Outcome } from "../balancer.ts";
import { placeFirstBid, postTask } from "../writers.ts";
import { endingOf, get, listBids, type OpenTask, pause, sendUntilSure, type Writing } from "../writing.ts";
import type { OpenConversation, Pair } from "./correspondence.ts";

/** So many turns each of the two takes before they begin another conversation. */
const TURNS = 12;
/** Small, so that there are several pages. */
const PAGE = 5;
const MAX_PAGES = 3;

/** Two people: open one conversation after the other, and write, read and mark as seen, both at once. */
export async function talkOn(writing: Writing, pair: Pair): Promise<void> {
  while (!writing.signal.aborted) {
    const conversation = await openConversation(writing, pair);
    if (conversation)
      await Promise.all([talk(writing, conversation, "client"), talk(writing, conversation, "freelancer")]);
    else await pause(writing);
  }
}

async function talk(writing: Writing, conversation: OpenConversation, by: ConversationRole): Promise<void> {
  const { roll, signal } = writing;
  for (let turn = 0; turn < TURNS && !signal.aborted; turn++) {
    const chance = roll();
    if (chance < 0.35) await sendMessage(writing, conversation, by);
    else if (chance < 0.45)
      // Two tabs.
      await Promise.all([sendMessage(writing, conversation, by), readPages(writing, conversation, by)]);
    else if (chance < 0.65) await markSeen(writing, conversation, by);
    else if (chance < 0.8) await readPages(writing, conversation, by);
    else if (chance < 0.88) await readConversation(writing, conversation, by);
    else if (chance < 0.95) await readList(writing, conversation, by);
    else await pry(writing, conversation);
    await pause(writing);
  }
}

/** @returns undefined if something on the way was not acknowledged. */
export async function openConversation(
  writing: Writing,
  { client, freelancer, outsider }: Pair,
): Promise<OpenConversation | undefined> {
  const { conversations, roll } = writing;
  const task = await postTask(writing, client, { withKey: true });
  if (!task || !(await placeFirstBid(writing, task, freelancer))) return undefined;
  const { status, body } = await listBids(writing, task);
  const [bid] = status === 200 ? (body as { _id: string }[]) : [];
  if (!bid) return undefined;
  const chosen = await choose(writing, task, { bid: bid._id, freelancer: freelancer.uid }, roll() < 0.5);
  if (endingOf(chosen) !== "acknowledged") return undefined;
  const call: Call = { method: "POST", path: `/tasks/${task.id}/bids/${bid._id}/conversation` };
  const openOnce = () =>
    sendUntilSure(writing, client, { ...call, token: client.token }, "open conversation", () => undefined);
  // In two tabs, through both instances: there is one all the same.
  const ids = (await Promise.all([openOnce(), openOnce()])).flatMap(insertedId);
  const [id] = ids;
  if (id === undefined) return undefined;
  if (ids.some((other) => other !== id))
    conversations.problems.push(`${task.id}: two conversations with one freelancer, ${ids.join(" and ")}`);
  const conversation = { id, client, freelancer, outsider, known: { client: 0, freelancer: 0 } };
  conversations.history.begin(id, undefined);
  conversations.opened.push(conversation);
  return conversation;
}

/** Awards or shortlists the only bid. */
function choose(
  writing: Writing,
  task: OpenTask,
  { bid, freelancer }: { bid: string; freelancer: string },
  isAward: boolean,
): Promise<Outcome> {
  const { owner, id } = task;
  if (!isAward) {
    const body = { state: "shortlisted" };
    const call = { method: "PATCH", path: `/tasks/${id}/bids/${bid}`, body, token: owner.token };
    return sendUntilSure(writing, owner, call, "shortlist", () => undefined);
  }
  const call = { method: "POST", path: `/tasks/${id}/award`, body: { bidId: bid }, token: owner.token };
  return sendUntilSure(writing, owner, call, "award", (outcome, span) =>
    writing.history.add(id, { kind: "award", to: freelancer }, outcome, span),
  );
}

/** Until it is known how it ended, with one `Idempotency-Key`. */
export async function sendMessage(
  writing: Writing,
  conversation: OpenConversation,
  by: ConversationRole,
): Promise<Outcome> {
  const { history, ledger } = writing.conversations;
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
  return sendUntilSure(writing, person, call, "message", (outcome, span) => {
    history.add(id, { kind: "send", by, key }, outcome, span);
    const ending = endingOf(outcome);
    const number = ending === "acknowledged" ? { number: (outcome.body as Message).number } : {};
    ledger.sent(id, key, span, { ending, ...number });
  });
}

/** Marks what was read as seen. */
export async function markSeen(
  writing: Writing,
  conversation: OpenConversation,
  by: ConversationRole,
): Promise<Outcome | undefined> {
  const { history, ledger } = writing.conversations;
  const { id, known } = conversation;
  const upTo = known[by];
  if (upTo === 0) return undefined;
  const { token } = conversation[by];
  const call = { method: "POST", path: `${pathOf(id)}/seen`, body: { number: upTo }, token };
  const beganAt = writing.now();
  let mayHaveChanged = false;
  const outcome = await sendUntilSure(writing, conversation[by], call, "see", (each, span) => {
    history.add(id, { kind: "see", by, upTo }, each, span);
    const { modifiedCount = 1 } = each.status === 200 ? (each.body as { modifiedCount: number }) : {};
    if (endingOf(each) !== "refused" && modifiedCount > 0) mayHaveChanged = true;
  });
  if (mayHaveChanged) ledger.changed(id, { beganAt, endedAt: writing.now() });
  return outcome;
}

/** Reads the newest messages, page by page. @returns undefined if a page could not be read. */
export async function readPages(
  writing: Writing,
  conversation: OpenConversation,
  by: ConversationRole,
  { limit = PAGE, pages = MAX_PAGES } = {},
): Promise<Message[] | undefined> {
  const { id, known } = conversation;
  const messages: Message[] = [];
  let path: string | undefined = `${pathOf(id)}/messages?limit=${limit}`;
  for (let page = 0; path !== undefined && page < pages; page++) {
    const before = messages.at(-1)?.number;
    const { outcome, span } = await get(writing, path, conversation[by]);
    const input = { kind: "page", by, limit, ...(before !== undefined && { before }) } as const;
    writing.conversations.history.add(id, input, outcome, span);
    if (outcome.status !== 200) return undefined;
    messages.push(...(outcome.body as Message[]));
    path = outcome.next;
  }
  known[by] = Math.max(known[by], messages[0]?.number ?? 0);
  return messages;
}

/** @returns undefined if it could not be read. */
export async function readConversation(
  writing: Writing,
  { id, ...pair }: OpenConversation,
  by: ConversationRole,
): Promise<Conversation | undefined> {
  const { outcome, span } = await get(writing, pathOf(id), pair[by]);
  writing.conversations.history.add(id, { kind: "read", by }, outcome, span);
  return outcome.status === 200 ? (outcome.body as Conversation) : undefined;
}

/** Each conversation in the list is read with it; those opened before have to be there. */
async function readList(writing: Writing, pair: OpenConversation, by: ConversationRole): Promise<void> {
  const { history, ledger, opened, problems } = writing.conversations;
  const isWritten = (id: string) => ledger.messagesOf(id).some(({ ending }) => ending === "acknowledged");
  // A freelancer's list has those in which there is something to read.
  const own = opened.filter((each) => each[by] === pair[by] && (by === "client" || isWritten(each.id)));
  const { outcome, span } = await get(writing, "/me/conversations?limit=50", pair[by]);
  if (outcome.status !== 200) return;
  const listed = new Map((outcome.body as Conversation[]).map((each) => [each._id, each]));
  for (const [id, body] of listed) history.add(id, { kind: "read", by }, { ...outcome, body }, span);
  const missing = outcome.next === undefined ? own.filter(({ id }) => !listed.has(id)) : [];
  problems.push(...missing.map(({ id }) => `${id} is missing in the list of the ${by}`));
}

async function pry(writing: Writing, { id, outsider }: OpenConversation): Promise<void> {
  const path = writing.roll() < 0.5 ? pathOf(id) : `${pathOf(id)}/messages`;
  const { outcome, span } = await get(writing, path, outsider);
  writing.conversations.history.add(id, { kind: "pry" }, outcome, span);
}

function pathOf(id: string): string {
  return `/me/conversations/${id}`;
}

function insertedId({ body }: Outcome): string | [] {
  return (body as { insertedId?: string } | undefined)?.insertedId ?? [];
}
