import type { Conversation, Message } from "../../../src/contract/index.ts";
import type { Outcome } from "../balancer.ts";
import { type ConversationInput, type ConversationOutput, conversationModel } from "./conversation-model.ts";
import { createRecorder } from "./recorder.ts";

/** Everything that people did in each conversation, and what they read. */
export type ConversationHistory = ReturnType<typeof createConversationHistory>;

export function createConversationHistory() {
  return createRecorder({
    modelOf: (_start: undefined) => conversationModel,
    outputOf,
    reads: ["read", "page", "pry"],
  });
}

function outputOf({ kind }: ConversationInput, { body, next }: Outcome): ConversationOutput {
  switch (kind) {
    case "send":
      return { number: (body as Message).number };
    case "see":
      return { changed: (body as { modifiedCount: number }).modifiedCount === 1 };
    case "read": {
      const { count, unread, seenByOther, last } = body as Conversation;
      return { view: { count, unread, seenByOther, last: last?.text ?? null } };
    }
    case "page": {
      const messages = body as Message[];
      return {
        page: messages.map(({ number, text = "", mine }) => [number, text, mine]),
        hasMore: next !== undefined,
      };
    }
    case "pry":
      // Any success is wrong: no order explains it.
      return { page: [], hasMore: true };
  }
}
