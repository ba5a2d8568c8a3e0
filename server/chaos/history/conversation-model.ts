import type { ConversationRole } from "../../src/contract/index.ts";
import type { Model, Operation } from "./linearizability.ts";
import type { Refused } from "./recorder.ts";

/** What people do with one conversation and see of it. A message's text is the key it was sent with. */
export type ConversationInput =
  | { kind: "send"; by: ConversationRole; key: string }
  | { kind: "see"; by: ConversationRole; upTo: number }
  | { kind: "read"; by: ConversationRole }
  /** Messages newest first: `limit` of those whose number is below `before`. */
  | { kind: "page"; by: ConversationRole; before?: number; limit: number }
  /** Somebody who is neither of the two asks for it, or for its messages. */
  | { kind: "pry" };

/** What somebody is told of the whole conversation. */
type ConversationView = { count: number; unread: number; seenByOther: number; last: string | null };
/** A message as its reader sees it. */
export type SeenMessage = readonly [number: number, key: string, mine: boolean];

/** One thing of these: the number the message got, whether something was changed, or what was seen. */
export type ConversationOutput =
  | { number: number }
  | { changed: boolean }
  | { view: ConversationView }
  | { page: readonly SeenMessage[]; hasMore: boolean };

export type ConversationOperation = Operation<ConversationInput, ConversationOutput | Refused>;

type State = {
  messages: readonly { key: string; by: ConversationRole }[];
  /** Up to which message each has seen them; whoever writes has seen all. */
  seen: Readonly<Record<ConversationRole, number>>;
};

/** The life of one conversation that takes messages, for one caller after the other: a list that is appended to by key. */
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
