import type { Endpoints } from "@tasklane/server/contract/endpoints";
import type * as z from "zod/mini";
import { setServerTime } from "./clock.ts";
import { notSignedInProblem, offlineProblem, parseBody, readProblem, unreadableProblem } from "./problem.ts";

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
};

/** The options of any call. */
export type CallOptions = Settings & {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
};

type DataOf<E extends EndpointKey> = Endpoints[E]["responses"][0] extends { schema: infer S extends Schema }
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
  /** Sends the request once and reads the whole response, since the connection can still break during the body. */
  async function attempt(
    endpoint: EndpointKey,
    { query = {}, body, ...options }: CallOptions,
    fresh: boolean,
  ): Promise<{ response: Response; body: string }> {
    const { method, path, headers } = requestOf(endpoint, options);
    headers.set("Accept", "application/json");
    if (!options.asVisitor) {
      const token = await getToken(fresh).catch(() => {
        throw offlineProblem();
      });
      if (!token) throw notSignedInProblem();
      headers.set("Authorization", `Bearer ${token}`);
    }
    const init: RequestInit = { method, headers };
    if (body !== undefined) {
      headers.set("Content-Type", "application/json");
      init.body = JSON.stringify(body);
    }
    init.signal = AbortSignal.timeout(TIMEOUT_MS);
    const search = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
    try {
      const response = await send(
        origin + path + (search.length > 0 ? `?${new URLSearchParams(search)}` : ""),
        init,
      );
      setServerTime(response.headers.get("Date"));
      return { response, body: await response.text() };
    } catch {
      throw offlineProblem({ timedOut: init.signal.aborted });
    }
  }

  return {
    async call(endpoint: EndpointKey, options: CallOptions): Promise<ApiResponse<never>> {
      let { response, body } = await attempt(endpoint, options, false);
      // A token can expire between two SDK refreshes: retry once with a fresh one.
      if (response.status === 401 && !options.asVisitor)
        ({ response, body } = await attempt(endpoint, options, true));
      if (!response.ok) throw readProblem(response, body);
      const data = parseBody(body);
      // Such as a page that a proxy sent instead.
      if (data === undefined) throw unreadableProblem(response.status);
      return { data: data as never, headers: response.headers };
    },
  };
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
