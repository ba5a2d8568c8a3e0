import type * as z from "zod/mini";
import { offlineProblem, unreadableProblem } from "./problem.ts";

/** How long one call may take before it counts as unanswered, in ms. */
const TIMEOUT_MS = 15_000;

export type CallOptions<T> = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** What a good answer looks like. */
  answer: z.ZodMiniType<T>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** Conditions and retry keys: `If-Match`, `Idempotency-Key`. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** `required` sends the signed-in person's token; `none` (the default) calls as a visitor. */
  auth?: "none" | "required";
  /** What this tab read before will do, however old: it stands on the screen. */
  ifKnown?: boolean;
};

export type Answer<T> = { data: T; headers: Headers };

/** Calls one endpoint. Rejects with {@link ApiProblem}, or with the signal's reason when the caller aborted. */
export type Api = { call<T>(path: string, options: CallOptions<T>): Promise<Answer<T>> };

export type ApiDeps = {
  origin: string;
  /** The ID token of the signed-in person, fresh if asked for; null for a visitor. Rejects if it cannot be had now. */
  getToken(fresh: boolean): Promise<string | null>;
  fetch?: typeof fetch;
};

/** The client's one way to the API: adds the token, checks the answer against the contract, speaks in problems. */
export function createApi({ origin, getToken, fetch: send = (...args) => fetch(...args) }: ApiDeps): Api {
  async function attempt<T>(path: string, options: CallOptions<T>, fresh: boolean): Promise<Response> {
    const headers = new Headers({ Accept: "application/json", ...options.headers });
    if (options.auth === "required") {
      const token = await getToken(fresh).catch(() => {
        throw offlineProblem();
      });
      if (!token) throw (await problems()).notSignedIn();
      headers.set("Authorization", `Bearer ${token}`);
    }
    const init: RequestInit = { method: options.method ?? "GET", headers };
    if (options.body !== undefined) {
      headers.set("Content-Type", "application/json");
      init.body = JSON.stringify(options.body);
    }
    init.signal = whicheverAborts(AbortSignal.timeout(TIMEOUT_MS), options.signal);
    try {
      return await send(address(origin, path, options.query), init);
    } catch {
      options.signal?.throwIfAborted();
      throw offlineProblem();
    }
  }

  return {
    async call(path, options) {
      let response = await attempt(path, options, false);
      // A token can expire between two refreshes of the SDK: ask once more with a fresh one.
      if (response.status === 401 && options.auth === "required")
        response = await attempt(path, options, true);
      if (!response.ok) throw await (await problems()).readProblem(response);
      const parsed = options.answer.safeParse(await readJson(response, options.signal));
      if (!parsed.success) throw unreadableProblem(response.status);
      return { data: parsed.data, headers: response.headers };
    },
  };
}

/** `AbortSignal.any` in the terms of every browser that the build is for: some of them do not have it. */
function whicheverAborts(first: AbortSignal, second?: AbortSignal): AbortSignal {
  if (!second) return first;
  const either = new AbortController();
  for (const signal of [first, second]) {
    if (signal.aborted) either.abort(signal.reason);
    signal.addEventListener("abort", () => either.abort(signal.reason), { once: true });
  }
  return either.signal;
}

function address(origin: string, path: string, query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? origin + path : `${origin}${path}?${new URLSearchParams(given)}`;
}

async function readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    signal?.throwIfAborted();
    throw unreadableProblem(response.status);
  }
}

/** What the API refuses with is read by a part of its own, which comes after the first page or when it is needed. */
function problems(): Promise<typeof import("./read-problem.ts")> {
  return import("./read-problem.ts");
}
