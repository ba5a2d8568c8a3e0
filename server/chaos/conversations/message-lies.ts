import type { Conversation, Message } from "../../src/contract/index.ts";
import type { Call, Outcome } from "../balancer.ts";
import { codeOf, type Lie, lie, live, mailed, stale, TRUTH } from "../lie-kinds.ts";

/** In so many messages one; each conversation of a short run has few. */
const RATE = 2;
/** Others only have to be there. */
const FEW = { clients: 3, freelancers: 3 };

/** Bugs of conversations. */
export const MESSAGE_LIES: readonly Lie[] = [
  lie(
    "a message is lost",
    /lostMessages/,
    isMessage,
    async (call, send) => {
      const path = call.path.replace(/\/messages$/, "");
      const { body } = await send({ method: "GET", path, token: call.token });
      const { count = 0 } = body as Conversation;
      const message = { _id: "f".repeat(24), number: count + 1, mine: true, ...(call.body as object) };
      return { status: 201, body: message, retryAfterS: 0, ms: 1 };
    },
    RATE,
  ),
  lie(
    "a message is there twice",
    /duplicatedMessages/,
    isMessage,
    async (call, send) => {
      const { headers: _, ...withoutKey } = call;
      await send(withoutKey);
      return send(call);
    },
    RATE,
  ),
  lie(
    "two people read messages in another order",
    /nothing explains page/,
    isPage,
    withList<Message>(swapped),
    1,
  ),
  lie("a page leaves a message out", /nothing explains page/, isPage, withList<Message>(withoutFirst)),
  stale(
    "messages are read as they were",
    /nothing explains page/,
    isPage,
    0,
    ({ path, token }) => `${path} ${token}`,
  ),
  lie("a list leaves a conversation out", /is missing in the list/, isList, withList(withoutFirst), 1),
  lie("unread messages are miscounted", /nothing explains read/, isConversation, async (call, send) => {
    const outcome = await send(call);
    const { unread } = outcome.body as Conversation;
    return unread === undefined
      ? outcome
      : { ...outcome, body: { ...(outcome.body as object), unread: unread + 1 } };
  }),
  strangers("a stranger reads messages", /nothing explains pry/),
  // A single one that is lost is made up for by the next, which tells how many there are by then.
  live("live messages are lost", /message \d+ was not told live/, "conversation", () => undefined, 1),
  live("a live message comes twice", /told live \d+ times, changed/, "conversation", (event, receive) => {
    receive(event);
    receive(event);
  }),
  live("unread messages are miscounted live", /unread conversations told live/, "unread", (event, receive) =>
    receive(
      event.name === "unread"
        ? { ...event, data: { ...event.data, conversations: event.data.conversations + 1 } }
        : event,
    ),
  ),
  mailed("an email of a message or alert is lost", /was not emailed/, 0),
  mailed("an email of a message or alert comes twice", /email \S+ came 2 times/, 2),
].map((each) => ({ ...each, crowd: FEW }));

function isMessage({ method, path }: Call): boolean {
  return method === "POST" && path.endsWith("/messages");
}
function isPage({ method, path }: Call): boolean {
  return method === "GET" && path.includes("/messages?");
}
function isList({ path }: Call): boolean {
  return path.startsWith("/me/conversations?");
}
function isConversation({ method, path }: Call): boolean {
  return method === "GET" && /^\/me\/conversations\/[\da-f]+$/.test(path);
}

function withList<T>(change: (rows: T[]) => T[]): Parameters<typeof lie>[3] {
  return async (call, send) => {
    const outcome = await send(call);
    return outcome.status === 200 ? { ...outcome, body: change(outcome.body as T[]) } : outcome;
  };
}

/** Who wrote the newest one reads the newest two the other way round. */
function swapped(messages: Message[]): Message[] {
  const [first, second, ...others] = messages;
  if (!first?.mine || !second) return messages;
  return [{ ...second, number: first.number }, { ...first, number: second.number }, ...others];
}

function withoutFirst<T>(rows: T[]): T[] {
  return rows.slice(1);
}

/** Who may not read a conversation gets what its members got. */
function strangers(name: string, noticed: RegExp): Lie {
  const read = new Map<string, Outcome>();
  let told = 0;
  return {
    ...TRUTH,
    name,
    noticed,
    told: () => told,
    between: ({ send }) => ({
      async send(call) {
        const outcome = await send(call);
        if (!isConversation(call)) return outcome;
        if (outcome.status === 200) read.set(call.path, outcome);
        const members = codeOf(outcome) === "conversation-not-found" ? read.get(call.path) : undefined;
        if (members) told += 1;
        return members ?? outcome;
      },
    }),
  };
}
