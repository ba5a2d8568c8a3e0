import type { Api, CallOptions } from "./api.ts";
import { newIdempotencyKey } from "./drafts.ts";
import { ApiProblem } from "./problem.ts";
import { reach } from "./reach.ts";

/** Waits before a second and a third try, in ms. A server that names a longer time is given it, up to a point. */
const WAITS = [300, 1_200];
const LONGEST_WAIT = 4_000;
/** Whoever has waited this long for nothing is not made to wait for as long again, in ms. */
const SLOW = 5_000;

/**
 * The API, tried again where that is safe: reads, and writes, whose `Idempotency-Key` makes them happen once. A write of
 * somebody signed in has a key of its own until it is answered: who presses the button again learns what became of it.
 * Tells {@link reach} what it learns. Once the API is known to be away, calls fail at the first try.
 */
export function createPatience(api: Api): Api {
  /** Keys of writes that nobody knows the outcome of, by what was asked. */
  const unanswered = new Map<string, string>();

  return {
    async call<T>(path: string, given: CallOptions<T>) {
      const isRead = (given.method ?? "GET") === "GET";
      const { method, body, headers } = given;
      const asked = JSON.stringify([method, path, headers, body]);
      const options = isRead || given.auth !== "required" ? given : withKey(given, unanswered.get(asked));
      const key = options.headers?.["Idempotency-Key"];
      const safe = isRead || key !== undefined;
      if (!isRead && key !== undefined) unanswered.set(asked, key);
      for (let tries = 0; ; tries++) {
        const since = Date.now();
        try {
          const answer = await api.call(path, options);
          unanswered.delete(asked);
          reach.back();
          return answer;
        } catch (error) {
          if (!isAway(error) && !isUnsure(error)) {
            unanswered.delete(asked);
            throw error;
          }
          const wait = Math.max(WAITS[tries] ?? Number.POSITIVE_INFINITY, (error.retryAfter ?? 0) * 1000);
          const hopeless = reach.trouble() || !navigator.onLine || Date.now() - since > SLOW;
          if (!safe || hopeless || wait > LONGEST_WAIT) {
            // A write that was refused is told by its form; the connection has carried it there and back.
            if (isRead || error.code === "offline") markLost(error);
            throw error;
          }
          // Spread out, so that not everybody who was turned away comes back at once.
          await pause(wait * (1 + Math.random() / 4), options.signal);
        }
      }
    },
  };
}

function withKey<T>(options: CallOptions<T>, earlier: string | undefined): CallOptions<T> {
  return { ...options, headers: { "Idempotency-Key": earlier ?? newIdempotencyKey(), ...options.headers } };
}

/** No answer, or one that says that nothing can be served right now. */
export function isAway(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && (error.code === "offline" || error.code === "unavailable");
}

/** Tells {@link reach} that a call was in vain, and whether the connection or the server is to blame. */
export function markLost({ code, retryAfter }: ApiProblem): void {
  reach.lost(code === "offline" ? "connection" : "server", retryAfter);
}

/** The server cannot tell whether a write was done: sent again with its key, it is done once and answered. */
function isUnsure(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === "outcome-unknown";
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
