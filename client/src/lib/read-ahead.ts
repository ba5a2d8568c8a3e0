import type { Answer, Api, CallOptions } from "./api.ts";
import { keyOf, knownFor, type Memory } from "./memory.ts";

/** How long an answer that nobody has asked for yet stands in for the one that is asked for, in ms. */
export const FRESH_MS = 5_000;

/** An API whose answers the memory keeps for the first read after it, on their way or there. */
export function readingAhead(memory: Memory, api: Api): Api {
  return {
    call<T>(path: string, options: CallOptions<T>) {
      const { known } = memory;
      const key = keyOf(path, options);
      const there = knownFor(memory, path, options);
      if (there && (options.ifKnown || Date.now() < there.freshUntil))
        return there.answer as Promise<Answer<T>>;
      const answer = api.call(path, options);
      memory.keep(path, options, answer, Date.now() + FRESH_MS);
      const entry = known.get(key);
      if (entry && there) entry.old = there.old ?? there.answer;
      answer.then(
        () => {
          if (entry) delete entry.old;
        },
        () => {
          if (!entry || known.get(key) !== entry) return;
          // Whoever goes there then asks anew.
          if (entry.old !== undefined) Object.assign(entry, { answer: entry.old, freshUntil: 0 });
          else known.delete(key);
        },
      );
      return answer;
    },
  };
}
