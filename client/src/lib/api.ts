import type * as z from "zod/mini";
import { notSignedInProblem, offlineProblem, parseBody, readProblem, unreadableProblem } from "./problem.ts";

/** The timeout of one call, in ms. */
const TIMEOUT_MS = 15_000;

export type CallOptions<T> = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The body of a successful response. */
  schema: z.ZodMiniType<T>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** Such as `If-Match` and `Idempotency-Key`. */
  headers?: Record<string, string>;
  /** `required` sends the signed-in person's token; `none` (the default) calls as a visitor. */
  auth?: "none" | "required";
  /** For a write that invalidates no cached data. */
  keepsCache?: boolean;
  /**
   * For a write that may be carried out twice. After a lost response, another attempt is then a new request and not a
   * repeat, because the first may have been reverted since.
   */
  isRepeatable?: boolean;
};

export type ApiResponse<T> = { data: T; headers: Headers };

/** Calls one endpoint. Rejects with {@link ApiProblem}. */
export type Api = { call<T>(path: string, options: CallOptions<T>): Promise<ApiResponse<T>> };

export type ApiDeps = {
  origin: string;
  /** The signed-in person's ID token, renewed if `fresh`; null for a visitor. Rejects if it cannot be obtained now. */
  getToken(fresh: boolean): Promise<string | null>;
  fetch?: typeof fetch;
};

/** The HTTP client: adds the token, validates responses against the contract, turns failures into problems. */
export function createApi({ origin, getToken, fetch: send = (...args) => fetch(...args) }: ApiDeps): Api {
  /** Sends the request once and reads the whole response, since the connection can still break during the body. */
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
      // A token can expire between two SDK refreshes: retry once with a fresh one.
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
  const params = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return params.length === 0 ? origin + path : `${origin}${path}?${new URLSearchParams(params)}`;
}

/** A random id. `crypto.randomUUID` is unavailable over plain HTTP. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
