import { CONVERSATION_ROLES, type ConversationRole, type Message } from "../../../src/contract/index.ts";
import type { Span } from "../history/recorder.ts";
import type { Ending } from "../ledger.ts";

/** A message, from its first request to its last. It has a `number` once acknowledged. */
export type SentMessage = Span & { ending: Ending; number: number | undefined };
/** All messages of one conversation, newest first, as each side reads them. */
export type Readings = Readonly<Record<ConversationRole, readonly Message[]>>;

/** Differences between what was acknowledged and what is read. All must be empty. */
export type MessageFindings = Record<
  "lostMessages" | "duplicatedMessages" | "unknownMessages" | "reorderedMessages" | "unsettledMessages",
  string[]
>;

type Entry = { messages: Map<string, SentMessage>; changes: Span[] };

/** What was acknowledged to the senders of messages. A message's text is the idempotency key it was sent with. */
export class MessageLedger {
  readonly #conversations = new Map<string, Entry>();

  /** Records a message that was sent, for the first time or again, and how that ended. */
  sent(id: string, key: string, span: Span, { ending, number }: { ending: Ending; number?: number }): void {
    const { messages } = this.#of(id);
    const before = messages.get(key);
    const isUnsure = before?.ending === "unsure" && ending === "refused";
    messages.set(key, {
      beganAt: before?.beganAt ?? span.beganAt,
      endedAt: span.endedAt,
      ending: isUnsure ? "unsure" : ending,
      number,
    });
  }

  /** Records that something else about the conversation changed, or may have: what was seen. */
  changed(id: string, span: Span): void {
    this.#of(id).changes.push(span);
  }

  messagesOf(id: string): SentMessage[] {
    return [...this.#of(id).messages.values()];
  }

  changesOf(id: string): readonly Span[] {
    return this.#of(id).changes;
  }

  /** How many messages were acknowledged. */
  acknowledged(): number {
    const all = [...this.#conversations.keys()].flatMap((id) => this.messagesOf(id));
    return all.filter(({ ending }) => ending === "acknowledged").length;
  }

  /** Compares with what both sides read at the end, by conversation. */
  compare(readings: ReadonlyMap<string, Readings>): MessageFindings {
    const findings: MessageFindings = {
      lostMessages: [],
      duplicatedMessages: [],
      unknownMessages: [],
      reorderedMessages: [],
      unsettledMessages: [],
    };
    for (const [id, { messages }] of this.#conversations) {
      const reading = readings.get(id);
      for (const role of CONVERSATION_ROLES)
        compareOne(`${id}, the ${role}`, reading?.[role], messages, findings);
      const [one, other] = CONVERSATION_ROLES.map((role) => orderOf(reading?.[role]));
      if (one !== other) findings.reorderedMessages.push(`${id}: the two sides read different orders`);
      for (const [key, { ending }] of messages)
        if (ending === "unsure") findings.unsettledMessages.push(`${id}: ${key}`);
    }
    return findings;
  }

  #of(id: string): Entry {
    const entry = this.#conversations.get(id) ?? { messages: new Map(), changes: [] };
    this.#conversations.set(id, entry);
    return entry;
  }
}

function compareOne(
  where: string,
  read: readonly Message[] = [],
  sent: ReadonlyMap<string, SentMessage>,
  findings: MessageFindings,
): void {
  const numbers = new Map<string, number[]>();
  for (const { text = "", number } of read) numbers.set(text, [...(numbers.get(text) ?? []), number]);
  for (const [key, { ending, number }] of sent) {
    const found = numbers.get(key) ?? [];
    if (found.length > 1) findings.duplicatedMessages.push(`${where}: ${key} as ${found.join()}`);
    if (ending === "acknowledged" && !found.includes(number ?? 0))
      findings.lostMessages.push(`${where}: ${key}, acknowledged as ${number}, read as ${found.join()}`);
    if (ending === "refused" && found.length > 0)
      findings.unknownMessages.push(`${where}: ${key} was refused`);
  }
  for (const text of numbers.keys()) if (!sent.has(text)) findings.unknownMessages.push(`${where}: ${text}`);
  const isCounted = read.every(({ number }, index) => number === read.length - index);
  if (!isCounted)
    findings.reorderedMessages.push(`${where}: read ${read.map(({ number }) => number).join()}`);
}

function orderOf(read: readonly Message[] = []): string {
  return read.map(({ number, text }) => `${number} ${text}`).join();
}
