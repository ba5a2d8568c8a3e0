import type { ConversationRole } from "../../../src/contract/index.ts";
import type { Model, Operation } from "./linearizability.ts";
import type { Refused } from "./recorder.ts";

/** Operations on one conversation. A message's text is the key it was sent with. */
export type ConversationInput =
  | { kind: "send"; by: ConversationRole; key: string }
  | { kind: "see"; by: ConversationRole; upTo: number }
  | { kind: "read"; by: ConversationRole }
  /** The newest `limit` messages whose number is below `before`. */
  | { kind: "page"; by: ConversationRole; before?: number; limit: number }
  /** An outsider asks for the conversation or its messages. */
  | { kind: "pry" };

/** The conversation as one side sees it. */
type ConversationView = { count: number; unread: number; seenByOther: number; last: string | null };
/** A message as its reader sees it. */
export type SeenMessage = readonly [number: number, key: string, mine: boolean];

/** One of: the message's number, whether something changed, or what was read. */
export type ConversationOutput =
  | { number: number }
  | { changed: boolean }
  | { view: ConversationView }
  | { page: readonly SeenMessage[]; hasMore: boolean };

export type ConversationOperation = Operation<ConversationInput, ConversationOutput | Refused>;

type State = {
  messages: readonly { key: string; by: ConversationRole }[];
  /** The number of the last message that each side has seen; a writer has seen everything. */
  seen: Readonly<Record<ConversationRole, number>>;
};

/** Sequential model of one open conversation: a list of messages with unique keys. */
export const conversationModel: Model<State, ConversationInput, ConversationOutput | Refused> = {
  initial: { messages: [], seen: { client: 0, freelancer: 0 } },
  step(state, input, output) {
    const expected = outcome(state, input);
    return !output || JSON.stringify(output) === JSON.stringify(expected.output) ? expected.next : undefined;
  },
  keyOf: ({ messages, seen }) => `${seen.client} ${seen.freelancer} ${messages.map(({ key }) => key).join()}`,
};

type Expected = { next: State; output: ConversationOutput | Refused };

function outcome(state: State, input: ConversationInput): Expected {
  const { messages, seen } = state;
  const same = (output: Expected["output"]): Expected => ({ next: state, output });
  switch (input.kind) {
    case "send": {
      const { key, by } = input;
      const known = messages.findIndex((each) => each.key === key);
      if (known >= 0) return same({ number: known + 1 });
      const number = messages.length + 1;
      return {
        next: { messages: [...messages, { key, by }], seen: { ...seen, [by]: number } },
        output: { number },
      };
    }
    case "see": {
      const upTo = Math.min(input.upTo, messages.length);
      if (upTo <= seen[input.by]) return same({ changed: false });
      return { next: { messages, seen: { ...seen, [input.by]: upTo } }, output: { changed: true } };
    }
    case "read": {
      const other = input.by === "client" ? "freelancer" : "client";
      const count = messages.length;
      const last = messages.at(-1)?.key ?? null;
      return same({ view: { count, unread: count - seen[input.by], seenByOther: seen[other], last } });
    }
    case "page": {
      const end = input.before === undefined ? messages.length : input.before - 1;
      const start = Math.max(0, end - input.limit);
      const page = messages
        .slice(start, end)
        .map(({ key, by }, at): SeenMessage => [start + at + 1, key, by === input.by])
        .toReversed();
      return same({ page, hasMore: start > 0 });
    }
    case "pry":
      return same({ refused: "conversation-not-found" });
  }
}
