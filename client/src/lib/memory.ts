import type { Answer, Api, CallOptions } from "./api.ts";
import type { EarlyCall } from "./early-api.ts";

/** Answers kept at most; the oldest go first. */
const MOST = 60;

export type Entry = {
  answer: Promise<Answer<unknown>>;
  path: string;
  options: CallOptions<unknown>;
  /** What was known before, while `answer` is on its way: going back waits for nothing. */
  old?: Promise<Answer<unknown>>;
  /** Until then the next read takes this answer, once. */
  freshUntil: number;
};

/**
 * The API with a memory of what this tab has read. A read asks the API as ever, with three exceptions: while `recalling`,
 * what is known answers at once, however old; so it does for a read that is content with that (`ifKnown`); and an answer
 * read ahead (see app/going-back.ts) serves the first read.
 */
export type Memory = Api & {
  /** The API itself. */
  ask: Api["call"];
  recalling: boolean;
  /** Exchanged, not emptied, when all is forgotten: so what was asked for before is not remembered after. */
  known: Map<string, Entry>;
  /** What was recalled and not asked about since. */
  recalled: Set<Entry>;
  /** Remembers an answer, there or on its way. */
  keep<T>(path: string, options: CallOptions<T>, answer: Promise<Answer<T>>, freshUntil?: number): void;
  forget(): void;
};

/** What tells one read from another. */
export const keyOf = <T>(path: string, { auth, query }: CallOptions<T>): string =>
  JSON.stringify([path, auth, query]);

/** What is known of a read. If that will do for it, it counts as new: among the oldest it would be the first to go. */
export function knownFor<T>({ known }: Memory, path: string, options: CallOptions<T>): Entry | undefined {
  const key = keyOf(path, options);
  const entry = known.get(key);
  if (!entry || !options.ifKnown) return entry;
  known.delete(key);
  known.set(key, entry);
  return entry;
}

/**
 * Puts a memory before the API. A write forgets everything, for nearly every answer holds what a write changes. `early`
 * is what was called before, oldest first.
 */
export function createMemory(api: Api, early: EarlyCall[] = []): Memory {
  const memory: Memory = {
    ask: api.call,
    recalling: false,
    known: new Map(),
    recalled: new Set(),
    keep(path, options, answer, freshUntil = 0) {
      const { known } = memory;
      const key = keyOf(path, options);
      known.delete(key);
      known.set(key, { answer, path, options, freshUntil });
      for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
    },
    forget() {
      memory.known = new Map();
    },
    async call<T>(path: string, options: CallOptions<T>) {
      const { known, recalling } = memory;
      if (options.method) return api.call(path, options).finally(memory.forget);
      const entry = knownFor(memory, path, options);
      if (options.ifKnown && entry) return entry.answer as Promise<Answer<T>>;
      if (entry && (recalling || Date.now() < entry.freshUntil)) {
        entry.freshUntil = 0;
        if (recalling) memory.recalled.add(entry);
        return ((recalling && entry.old) || entry.answer) as Promise<Answer<T>>;
      }
      const answer = api.call(path, options);
      await answer;
      if (known === memory.known) memory.keep(path, options, answer);
      return answer;
    },
  };
  const { known } = memory;
  for (const { path, options, answer } of early) {
    if (options.method) void answer.then(memory.forget, memory.forget);
    else
      answer.then(
        () => known === memory.known && memory.keep(path, options, answer),
        () => undefined,
      );
  }
  return memory;
}
