import type { ConversationRole } from "../../../src/contract/index.ts";
import type { Person } from "../../../test/people.ts";
import { type ConversationHistory, createConversationHistory } from "../history/conversation-history.ts";
import { MessageLedger } from "./message-ledger.ts";

/** The two sides of a conversation, and an outsider who may not read it. */
export type Pair = Record<ConversationRole | "outsider", Person>;

export type OpenConversation = Pair & {
  id: string;
  /** The number of the last message that each side has read. */
  known: Record<ConversationRole, number>;
};

/** How often somebody must and may have been notified of unread messages in one conversation. */
export type NoticeBounds = { conversation: OpenConversation; atLeast: number; atMost: number };

/** Everything recorded about a run's conversations. */
export type Correspondence = {
  history: ConversationHistory;
  ledger: MessageLedger;
  opened: OpenConversation[];
  /** By conversation, if its freelancer stays away. */
  bounds: Map<string, NoticeBounds>;
  /** Problems noticed during the run. */
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
