import type { Answer, Api, CallOptions } from "./api.ts";
import { savesData } from "./saves-data.ts";

/** Answers kept at most: the least recently used go first. */
const MOST = 60;
/** How long an answer that was read ahead stands in for the one that is asked for, in ms. */
const AHEAD_MS = 5_000;
/** How many of the latest answers are read anew after a write. */
const LATEST = 12;

type Entry = {
  answer: Promise<Answer<unknown>>;
  /** Asks the API once more. */
  ask: () => Promise<Answer<unknown>>;
  aheadUntil: number;
};

/**
 * The API with a memory of what this tab has read. A read asks the API as ever, with two exceptions: while `recall`
 * holds, whatever is known answers at once, however old it is; and an answer read ahead serves the first read after it.
 */
export type Memory = Api & {
  /** Reads before anybody asked, so that the answer is there or on its way when they do. */
  ahead: Api;
  /** From now on what is known answers. */
  recall(): void;
  /** Ends `recall`. */
  stopRecall(): void;
  /** Asks the API about all that was recalled since the last time; true if anything is not as it was. */
  refresh(): Promise<boolean>;
  /** Forgets everything: what one person read is not for the next. */
  forget(): void;
};

/**
 * Puts a memory before the API. A write forgets everything, for nearly every answer holds what a write changes, and
 * reads the latest answers anew: so going back after a bid is as quick as before it, and shows the bid.
 */
export function createMemory(api: Api, now: () => number = Date.now): Memory {
  // In the order of use.
  const known = new Map<string, Entry>();
  const recalled = new Set<string>();
  let recalling = false;
  // Counts up when all is forgotten: what was asked for before must not be remembered after.
  let era = 0;

  const keep = (key: string, entry: Entry) => {
    known.delete(key);
    known.set(key, entry);
    for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
  };

  const readAhead = (key: string, ask: Entry["ask"]) => {
    const entry: Entry = { answer: ask(), ask, aheadUntil: now() + AHEAD_MS };
    keep(key, entry);
    entry.answer.catch(() => known.get(key) === entry && known.delete(key));
    return entry.answer;
  };

  const forget = () => {
    era += 1;
    known.clear();
    recalled.clear();
  };

  const memory: Memory = {
    async call<T>(path: string, options: CallOptions<T>) {
      if ((options.method ?? "GET") !== "GET") {
        return api.call(path, options).finally(() => {
          const latest = [...known].slice(-LATEST);
          forget();
          if (!savesData()) for (const [key, { ask }] of latest) void readAhead(key, ask);
        });
      }
      const key = keyOf(path, options);
      const entry = known.get(key);
      if (entry && (recalling || now() < entry.aheadUntil)) {
        if (recalling) recalled.add(key);
        entry.aheadUntil = 0;
        keep(key, entry);
        return entry.answer as Promise<Answer<T>>;
      }
      const since = era;
      const answer = await api.call(path, options);
      if (since === era)
        keep(key, { answer: Promise.resolve(answer), ask: asker(api, path, options), aheadUntil: 0 });
      return answer;
    },
    ahead: {
      async call<T>(path: string, options: CallOptions<T>) {
        const key = keyOf(path, options);
        const entry = known.get(key);
        if (entry && now() < entry.aheadUntil) return entry.answer as Promise<Answer<T>>;
        return readAhead(key, asker(api, path, options)) as Promise<Answer<T>>;
      },
    },
    recall() {
      recalling = true;
    },
    stopRecall() {
      recalling = false;
    },
    async refresh() {
      const since = era;
      const keys = [...recalled];
      recalled.clear();
      const changes = await Promise.all(
        keys.map(async (key) => {
          const entry = known.get(key);
          if (!entry) return true;
          try {
            const fresh = await entry.ask();
            const changed = textOf(fresh) !== textOf(await entry.answer);
            if (since === era && changed) keep(key, { ...entry, answer: Promise.resolve(fresh) });
            return changed;
          } catch (error) {
            // Without an answer the old one stays. A refusal is news: the page asks again and says so.
            const { status = 0 } = error as { status?: number };
            return status >= 400 && status < 500 && known.delete(key);
          }
        }),
      );
      return changes.includes(true);
    },
    forget,
  };
  return memory;
}

/** The same call without the signal: it goes on when the page that asked first is left. */
function asker<T>(api: Api, path: string, { signal: _, ...options }: CallOptions<T>): Entry["ask"] {
  return () => api.call(path, options);
}

function keyOf<T>(path: string, { auth = "none", query }: CallOptions<T>): string {
  return JSON.stringify([path, auth, query]);
}

function textOf({ data, headers }: Answer<unknown>): string {
  return JSON.stringify([data, headers.get("Link"), headers.get("X-Total-Count")]);
}
