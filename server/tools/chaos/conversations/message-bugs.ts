import type { Conversation, Message } from "../../../src/contract/index.ts";
import type { Call, Outcome } from "../balancer.ts";
import { codeOf, emailBug, eventBug, NO_BUG, type PlantedBug, responseBug, staleRead } from "../bug-kinds.ts";

/** One in so many messages is affected: each conversation of a short run has few. */
const RATE = 2;
/** The other roles only have to be present. */
const FEW = { clients: 3, freelancers: 3 };

/** Bugs in conversations and emails. */
export const MESSAGE_BUGS: readonly PlantedBug[] = [
  responseBug(
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
  responseBug(
    "a message is stored twice",
    /duplicatedMessages/,
    isMessage,
    async (call, send) => {
      const { headers: _, ...withoutKey } = call;
      await send(withoutKey);
      return send(call);
    },
    RATE,
  ),
  responseBug(
    "the two sides read messages in different orders",
    /nothing explains page/,
    isPage,
    withList<Message>(swapped),
    1,
  ),
  responseBug(
    "a page leaves a message out",
    /nothing explains page/,
    isPage,
    withList<Message>(withoutFirst),
  ),
  staleRead(
    "messages are read stale",
    /nothing explains page/,
    isPage,
    0,
    ({ path, token }) => `${path} ${token}`,
  ),
  responseBug(
    "a list leaves a conversation out",
    /is missing from the list/,
    isList,
    withList(withoutFirst),
    1,
  ),
  responseBug(
    "unread messages are miscounted",
    /nothing explains read/,
    isConversation,
    async (call, send) => {
      const outcome = await send(call);
      const { unread } = outcome.body as Conversation;
      return unread === undefined
        ? outcome
        : { ...outcome, body: { ...(outcome.body as object), unread: unread + 1 } };
    },
  ),
  outsiders("an outsider reads messages", /nothing explains pry/),
  // A single lost event goes unnoticed, because the next one carries the current count.
  eventBug(
    "live messages are lost",
    /message \d+ was not delivered live/,
    "conversation",
    () => undefined,
    1,
  ),
  eventBug("a live message comes twice", /\d+ live events for at most/, "conversation", (event, receive) => {
    receive(event);
    receive(event);
  }),
  eventBug(
    "unread messages are miscounted live",
    /unread conversations sent live/,
    "unread",
    (event, receive) =>
      receive(
        event.name === "unread"
          ? { ...event, data: { ...event.data, conversations: event.data.conversations + 1 } }
          : event,
      ),
  ),
  emailBug("an email about a message or alert is lost", /was not emailed/, 0),
  emailBug("an email about a message or alert arrives twice", /email \S+ arrived 2 times/, 2),
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

function withList<T>(change: (rows: T[]) => T[]): Parameters<typeof responseBug>[3] {
  return async (call, send) => {
    const outcome = await send(call);
    return outcome.status === 200 ? { ...outcome, body: change(outcome.body as T[]) } : outcome;
  };
}

/** Swaps the newest two messages for the author of the newest. */
function swapped(messages: Message[]): Message[] {
  const [first, second, ...others] = messages;
  if (!first?.mine || !second) return messages;
  return [{ ...second, number: first.number }, { ...first, number: second.number }, ...others];
}

function withoutFirst<T>(rows: T[]): T[] {
  return rows.slice(1);
}

/** Outsiders get the members' response. */
function outsiders(name: string, expectedProblem: RegExp): PlantedBug {
  const read = new Map<string, Outcome>();
  let occurred = 0;
  return {
    ...NO_BUG,
    name,
    expectedProblem,
    occurrences: () => occurred,
    intercept: ({ send }) => ({
      async send(call) {
        const outcome = await send(call);
        if (!isConversation(call)) return outcome;
        if (outcome.status === 200) read.set(call.path, outcome);
        const members = codeOf(outcome) === "conversation-not-found" ? read.get(call.path) : undefined;
        if (members) occurred += 1;
        return members ?? outcome;
      },
    }),
  };
}
