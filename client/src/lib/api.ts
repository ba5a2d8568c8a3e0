import type * as z from "zod/mini";
import { notSignedInProblem, offlineProblem, parseBody, readProblem, unreadableProblem } from "./problem.ts";

/** How long one call may take before it counts as unanswered, in ms. */
const TIMEOUT_MS = 15_000;

export type CallOptions<T> = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The body of a successful response. */
  schema: z.ZodMiniType<T>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** Conditions and retry keys: `If-Match`, `Idempotency-Key`. */
  headers?: Record<string, string>;
  /** `required` sends the signed-in person's token; `none` (the default) calls as a visitor. */
  auth?: "none" | "required";
  /** A write after which everything read before still holds. */
  keepsCache?: boolean;
};

export type ApiResponse<T> = { data: T; headers: Headers };

/** Calls one endpoint. Rejects with {@link ApiProblem}. */
export type Api = { call<T>(path: string, options: CallOptions<T>): Promise<ApiResponse<T>> };

export type ApiDeps = {
  origin: string;
  /** The ID token of the signed-in person, fresh if asked for; null for a visitor. Rejects if it cannot be had now. */
  getToken(fresh: boolean): Promise<string | null>;
  fetch?: typeof fetch;
};

/** The HTTP client: adds the token, checks responses against the contract, turns failures into problems. */
export function createApi({ origin, getToken, fetch: send = (...args) => fetch(...args) }: ApiDeps): Api {
  /** Sends it once, and reads the whole response: while its body arrives the connection can still break. */
  async function attempt<T>(
    path: string,
    options: CallOptions<T>,
    fresh: boolean,
  ): Promise<{ response: Response; body: string }> {
    const headers = new Headers({ Accept: "application/json", ...options.headers });
    if (options.auth === "required") {
      const token = await getToken(fresh).catch(() => {
        throw offlineProblem();
      });
      if (!token) throw notSignedInProblem();
      headers.set("Authorization", `Bearer ${token}`);
    }
    const init: RequestInit = { method: options.method ?? "GET", headers };
    if (options.body !== undefined) {
      headers.set("Content-Type", "application/json");
      init.body = JSON.stringify(options.body);
    }
    init.signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await send(urlOf(origin, path, options.query), init);
      return { response, body: await response.text() };
    } catch {
      throw offlineProblem({ timedOut: init.signal.aborted });
    }
  }

  return {
    async call(path, options) {
      let { response, body } = await attempt(path, options, false);
      // A token can expire between two refreshes of the SDK: try once more with a fresh one.
      if (response.status === 401 && options.auth === "required")
        ({ response, body } = await attempt(path, options, true));
      if (!response.ok) throw readProblem(response, body);
      const parsed = options.schema.safeParse(parseBody(body));
      if (!parsed.success) throw unreadableProblem(response.status);
      return { data: parsed.data, headers: response.headers };
    },
  };
}

function urlOf(origin: string, path: string, query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? origin + path : `${origin}${path}?${new URLSearchParams(given)}`;
}

/** An id that nobody has used. `randomUUID` is missing where the page came over plain HTTP. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
