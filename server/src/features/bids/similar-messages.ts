import type { MessagePrint } from "../../db/documents/bids.ts";

/** Shorter messages, counted in {@link plain} characters, say what everybody says. */
const MIN_LENGTH = 80;
/** Characters of a shingle: pieces of a text, whatever its language does between words. */
const SHINGLE = 8;
/** So many of a message's smallest hashes stand for it, and so many of these are in the index. */
const SKETCH = 32;
const KEYS = 4;
/** Shared part of all shingles of two messages that are nearly the same: about two thirds of each text. */
const SIMILAR = 0.5;

/**
 * What a message is found and compared by: the smallest hashes of its shingles (a bottom-k sketch). Two messages that are
 * just similar enough share one of the first four in 94 of 100 cases, those that are more alike nearly always.
 * Undefined for a message that is too short to be compared.
 */
export function messagePrint(message: string | undefined): MessagePrint | undefined {
  const text = plain(message ?? "");
  if (text.length < MIN_LENGTH) return undefined;
  const hashes = new Set<number>();
  for (let at = 0; at + SHINGLE <= text.length; at++) hashes.add(hash32(text, at));
  const sketch = [...hashes].sort(ascending).slice(0, SKETCH);
  return { keys: sketch.slice(0, KEYS), sketch };
}

/** Are about two thirds of the two messages the same, or more? */
export function isNearlySame(one: MessagePrint, other: MessagePrint): boolean {
  const [a, b] = [new Set(one.sketch), new Set(other.sketch)];
  const smallest = [...new Set([...a, ...b])].sort(ascending).slice(0, SKETCH);
  const shared = smallest.filter((hash) => a.has(hash) && b.has(hash)).length;
  return shared / smallest.length >= SIMILAR;
}

/** Letters and digits in lower case, and single spaces: case, punctuation and layout make no difference. */
function plain(message: string): string {
  return message
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const ascending = (a: number, b: number) => a - b;

/** FNV-1a of the shingle that begins there, with the last steps of MurmurHash3: every bit of it counts. */
function hash32(text: string, at: number): number {
  let hash = 0x811c9dc5;
  for (let i = at; i < at + SHINGLE; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
