import { MAX_SENT_TO } from "../../contract/index.ts";
import type { BidDoc, MessagePrint } from "../../db/documents/bids.ts";

/** A message that was sent with a bid. */
export type SentMessage = Pick<BidDoc, "taskId" | "print">;

/** Shorter messages, counted in {@link plain} characters, are too common to compare. */
const MIN_LENGTH = 80;
/** Characters per shingle (overlapping piece of text), so that languages without spaces between words work too. */
const SHINGLE = 8;
/** How many of a message's smallest hashes represent it, and how many of these are indexed. */
const SKETCH = 32;
const KEYS = 4;
/** Share of shingles that two nearly equal messages have in common: about two thirds of each text. */
const SIMILAR = 0.5;

/**
 * The fingerprint by which messages are found and compared: their shingles' smallest hashes (a bottom-k sketch).
 * Messages that are just similar enough share a key in 94 of 100 cases, more similar ones nearly always.
 * @returns undefined for a message that is too short to compare.
 */
export function messagePrint(message: string): MessagePrint | undefined {
  const text = plain(message);
  if (text.length < MIN_LENGTH) return undefined;
  const hashes = new Set<number>();
  for (let at = 0; at + SHINGLE <= text.length; at++) hashes.add(hash32(text, at));
  const sketch = [...hashes].sort(ascending).slice(0, SKETCH);
  return { keys: sketch.slice(0, KEYS), sketch };
}

/** Do the two messages have about two thirds of their text in common, or more? */
export function isNearlySame(one: MessagePrint, other: MessagePrint): boolean {
  const [a, b] = [new Set(one.sketch), new Set(other.sketch)];
  const smallest = [...new Set([...a, ...b])].sort(ascending).slice(0, SKETCH);
  const shared = smallest.filter((hash) => a.has(hash) && b.has(hash)).length;
  return shared / smallest.length >= SIMILAR;
}

/** The bid with the fingerprint of its message, and on how many other tasks nearly the same message was sent. */
export function withPrint(bid: BidDoc, print: MessagePrint | undefined, sent: Iterable<SentMessage>): BidDoc {
  return { ...bid, print, sentTo: (print && countSentTo(bid, print, sent)) || undefined };
}

/** Counts the other tasks to which the bidder has sent nearly the same message, up to {@link MAX_SENT_TO}. */
function countSentTo(bid: BidDoc, print: MessagePrint, sent: Iterable<SentMessage>): number {
  let count = 0;
  for (const other of sent) {
    if (other.taskId.equals(bid.taskId)) continue;
    if (other.print && isNearlySame(print, other.print)) count++;
    if (count === MAX_SENT_TO) break;
  }
  return count;
}

/** Only lower-case letters, digits and single spaces, because case, punctuation and layout make no difference. */
function plain(message: string): string {
  return message
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const ascending = (a: number, b: number) => a - b;

/** FNV-1a of the shingle at that position, finished like MurmurHash3, so that every bit of it counts. */
function hash32(text: string, at: number): number {
  let hash = 0x811c9dc5;
  for (let i = at; i < at + SHINGLE; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
