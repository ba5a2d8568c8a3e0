import type { Conversation, ConversationRole, Message } from "../../../src/contract/index.ts";
import type { Outcome } from "../balancer.ts";
import type { Model } from "./linearizability.ts";
import { createRecorder, type Refused } from "./recorder.ts";

/** What somebody did in a conversation, or read of it. A message's text is the key it was sent with. */
export type ConversationInput =
  | { by: ConversationRole; sends: string }
  | { by: ConversationRole; hasSeen: number }
  | { by: ConversationRole; reads: "conversation" }
  /** The newest `limit` messages whose number is below `before`. */
  | { by: ConversationRole; reads: "page"; before?: number; limit: number }
  | { by: "outsider"; reads: "conversation" };

/** A message as its reader sees it. */
type SeenMessage = readonly [number: number, key: string, mine: boolean];
/** One of: the message's number, whether something changed, or what was read. */
type ConversationOutput =
  | { number: number }
  | { changed: boolean }
  | { count: number; unread: number; seenByOther: number; last: string | null }
  | { page: readonly SeenMessage[]; hasMore: boolean };

type State = {
  messages: readonly { key: string; by: ConversationRole }[];
  /** The number of the last message that each side has seen; a writer has seen everything. */
  seen: Readonly<Record<ConversationRole, number>>;
};

/** Everything that people did in each conversation, and what they read. */
export function createConversationHistory() {
  return createRecorder<undefined, State, ConversationInput, ConversationOutput>({
    modelOf: () => conversationModel,
    outputOf,
  });
}

/** Sequential model of one open conversation: a list of messages with unique keys. */
export const conversationModel: Model<State, ConversationInput, ConversationOutput | Refused> = {
  initial: { messages: [], seen: { client: 0, freelancer: 0 } },
  step(state, input, output) {
    const expected = outcome(state, input);
    return !output || JSON.stringify(output) === JSON.stringify(expected.output) ? expected.next : undefined;
  },
  keyOf: ({ messages, seen }) => `${seen.client} ${seen.freelancer} ${messages.map(({ key }) => key).join()}`,
};

type Result = { next: State; output: ConversationOutput | Refused };

function outcome(state: State, input: ConversationInput): Result {
  const { messages, seen } = state;
  const same = (output: Result["output"]): Result => ({ next: state, output });
  if (input.by === "outsider") return same({ refused: "conversation-not-found" });
  if ("sends" in input) {
    const { sends: key, by } = input;
    const known = messages.findIndex((each) => each.key === key);
    if (known >= 0) return same({ number: known + 1 });
    const number = messages.length + 1;
    return {
      next: { messages: [...messages, { key, by }], seen: { ...seen, [by]: number } },
      output: { number },
    };
  }
  if ("hasSeen" in input) {
    const upTo = Math.min(input.hasSeen, messages.length);
    if (upTo <= seen[input.by]) return same({ changed: false });
    return { next: { messages, seen: { ...seen, [input.by]: upTo } }, output: { changed: true } };
  }
  if (input.reads === "conversation") {
    const other = input.by === "client" ? "freelancer" : "client";
    const count = messages.length;
    const last = messages.at(-1)?.key ?? null;
    return same({ count, unread: count - seen[input.by], seenByOther: seen[other], last });
  }
  const end = input.before === undefined ? messages.length : input.before - 1;
  const start = Math.max(0, end - input.limit);
  const page = messages
    .slice(start, end)
    .map(({ key, by }, at): SeenMessage => [start + at + 1, key, by === input.by])
    .toReversed();
  return same({ page, hasMore: start > 0 });
}

function outputOf(input: ConversationInput, { body, next }: Outcome): ConversationOutput {
  if ("sends" in input) return { number: (body as Message).number };
  if ("hasSeen" in input) return { changed: (body as { modifiedCount: number }).modifiedCount === 1 };
  if (input.reads === "conversation") {
    const { count, unread, seenByOther, last } = body as Conversation;
    return { count, unread, seenByOther, last: last?.text ?? null };
  }
  const page = (body as Message[]).map(({ number, text = "", mine }): SeenMessage => [number, text, mine]);
  return { page, hasMore: next !== undefined };
}
