import { ERRORS, type ErrorCode, problemSchema } from "@tasklane/server/contract";
import type * as z from "zod/mini";
import { ApiProblem, busyProblem, offlineProblem, unreadableProblem } from "./problem.ts";
import { retryAfterOf } from "./retry-after.ts";

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
      if (!token) throw new ApiProblem("not-signed-in", 401, ERRORS["not-signed-in"].title);
      headers.set("Authorization", `Bearer ${token}`);
    }
    const init: RequestInit = { method: options.method ?? "GET", headers };
    if (options.body !== undefined) {
      headers.set("Content-Type", "application/json");
      init.body = JSON.stringify(options.body);
    }
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    init.signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
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
      if (!response.ok) throw await readProblem(response);
      const parsed = options.answer.safeParse(await readJson(response, options.signal));
      if (!parsed.success) throw unreadableProblem(response.status);
      return { data: parsed.data, headers: response.headers };
    },
  };
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

async function readProblem(response: Response): Promise<ApiProblem> {
  const parsed = problemSchema.safeParse(await response.json().catch(() => null));
  const retryAfter = retryAfterOf(response.headers);
  // A proxy before the API may say so in its own words, or in none.
  if (response.status === 429) return busyProblem(retryAfter, parsed.data?.requestId);
  if (!parsed.success) {
    return response.status >= 500 ? offlineProblem(retryAfter) : unreadableProblem(response.status);
  }
  const { code, detail, status } = parsed.data;
  if (!isErrorCode(code)) return unreadableProblem(status);
  return new ApiProblem(code, status, detail, { ...parsed.data, retryAfter });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
