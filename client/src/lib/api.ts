import type { Endpoints } from "@tasklane/server/contract/endpoints";
import type * as z from "zod/mini";
import { setServerTime } from "./clock.ts";
import {
  ApiProblem,
  notSignedInProblem,
  offlineProblem,
  parseBody,
  readProblem,
  unreadableProblem,
} from "./problem.ts";

/** The timeout of one call, in ms. */
const TIMEOUT_MS = 15_000;

/** A method and a path, such as `PATCH /tasks/:id/state`. */
export type EndpointKey = keyof Endpoints;

type ParamOf<Path> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamOf<More>
    : Rest
  : never;
type Schema = z.core.$ZodType;

/** What the contract declares about an endpoint's input. */
type InputOf<E extends EndpointKey> = ([ParamOf<E>] extends [never]
  ? unknown
  : { params: Record<ParamOf<E>, string> }) &
  (Endpoints[E] extends { query: infer S extends Schema }
    ? { query?: { [Name in keyof z.output<S>]?: string | undefined } }
    : unknown) &
  (Endpoints[E] extends { body: infer S extends Schema }
    ? Endpoints[E] extends { bodyIsOptional: true }
      ? { body?: z.output<S> }
      : { body: z.output<S> }
    : unknown);

type Settings = {
  /** The version that the write replaces, as `If-Match`. */
  version?: string | number | undefined;
  idempotencyKey?: string;
  /** Without the signed-in person's token. */
  asVisitor?: boolean;
  /** For a write that invalidates no cached data. */
  keepsCache?: boolean;
  /**
   * For a write that may be carried out twice. After a lost response, another attempt is then a new request and not a
   * repeat, because the first may have been reverted since.
   */
  isRepeatable?: boolean;
  /** Gives the call up. */
  signal?: AbortSignal;
};

/** The options of any call. */
export type CallOptions = Settings & {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
};

export type DataOf<E extends EndpointKey> = Endpoints[E]["responses"][0] extends {
  schema: infer S extends Schema;
}
  ? z.output<S>
  : never;

export type ApiResponse<T> = { data: T; headers: Headers };

/** The input of an endpoint, and how it is called. */
export type OptionsOf<E extends EndpointKey> = Settings & InputOf<E>;

/** Calls one endpoint of the contract. Rejects with {@link ApiProblem}. */
export type Api = {
  call<E extends EndpointKey>(endpoint: E, options: OptionsOf<E>): Promise<ApiResponse<DataOf<E>>>;
};

export type ApiDeps = {
  origin: string;
  /** The signed-in person's ID token, renewed if `fresh`; null for a visitor. Rejects if it cannot be obtained now. */
  getToken(fresh: boolean): Promise<string | null>;
  fetch?: typeof fetch;
};

/** The HTTP client: adds the token and turns failures into problems. */
export function createApi({ origin, getToken, fetch: send = (...args) => fetch(...args) }: ApiDeps): Api {
  return {
    async call(
      endpoint: EndpointKey,
      { query = {}, body, ...options }: CallOptions,
    ): Promise<ApiResponse<never>> {
      const { method, path, headers } = requestOf(endpoint, options);
      headers.set("Accept", "application/json");
      const init: RequestInit = { method, headers };
      if (body !== undefined) {
        headers.set("Content-Type", "application/json");
        init.body = JSON.stringify(body);
      }
      const search = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
      const url = origin + path + (search.length > 0 ? `?${new URLSearchParams(search)}` : "");
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      init.signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
      try {
        const response = await (options.asVisitor ? send(url, init) : fetchAsUser(url, init, getToken, send));
        setServerTime(response.headers.get("Date"));
        // Read whole here, since the connection can still break during the body.
        const text = await response.text();
        if (!response.ok) throw readProblem(response, text);
        const data = parseBody(text);
        // Such as a page that a proxy sent instead.
        if (data === undefined) throw unreadableProblem(response.status);
        return { data: data as never, headers: response.headers };
      } catch (error) {
        throw error instanceof ApiProblem ? error : offlineProblem({ timedOut: timeout.aborted });
      }
    },
  };
}

/**
 * Sends a request of the signed-in person. A token can expire between two SDK refreshes: if the server rejects it, the
 * request is sent once more with a fresh one. Rejects with {@link ApiProblem} if there is none.
 */
export async function fetchAsUser(
  url: string | URL,
  init: RequestInit,
  getToken: ApiDeps["getToken"],
  send: typeof fetch = fetch,
): Promise<Response> {
  const attempt = async (fresh: boolean) => {
    const token = await getToken(fresh).catch(() => {
      throw offlineProblem();
    });
    if (!token) throw notSignedInProblem();
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${token}`);
    return send(url, { ...init, headers });
  };
  const response = await attempt(false);
  return response.status === 401 ? attempt(true) : response;
}

/** The parts of a request that follow from an endpoint and a call's options. */
export function requestOf(endpoint: EndpointKey, { params = {}, version, idempotencyKey }: CallOptions) {
  const [method = "", template = ""] = endpoint.split(" ");
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const headers = new Headers();
  if (version !== undefined) headers.set("If-Match", `"${version}"`);
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  return { method, path, headers };
}

/** A random id. `crypto.randomUUID` is unavailable over plain HTTP. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
