import type { ConversationRole } from "../../src/contract/index.ts";
import type { Person } from "../../test/people.ts";
import { type ConversationHistory, createConversationHistory } from "../history/conversation-history.ts";
import { MessageLedger } from "./message-ledger.ts";

/** Two people who write to each other, and somebody who has no business with it. */
export type Pair = Record<ConversationRole | "outsider", Person>;

export type OpenConversation = Pair & {
  id: string;
  /** The number of the last message that each of the two has read. */
  known: Record<ConversationRole, number>;
};

/** How often somebody must have been told of unread messages of one conversation, and how often they can have been. */
export type NoticeBounds = { conversation: OpenConversation; atLeast: number; atMost: number };

/** What is recorded of all conversations of a run. */
export type Correspondence = {
  history: ConversationHistory;
  ledger: MessageLedger;
  opened: OpenConversation[];
  /** By conversation, of those that somebody stays away from. */
  bounds: Map<string, NoticeBounds>;
  /** What must not be, and was seen on the way. */
  problems: string[];
};

export function createCorrespondence(): Correspondence {
  return {
    history: createConversationHistory(),
    ledger: new MessageLedger(),
    opened: [],
    bounds: new Map(),
    problems: [],
  };
}
