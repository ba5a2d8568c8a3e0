import type { Instance } from "./instance.ts";

/** The outcome of a request. `status` is undefined if there was no response, so that the outcome is unknown. */
export type Outcome = {
  status: number | undefined;
  body: unknown;
  retryAfterS: number;
  ms: number;
  /** The path of the list's next page, if there is one. */
  next?: string | undefined;
  /** Whether the response was recorded for an earlier request with the same key. */
  replayed?: boolean;
  /** The instance that was asked last. */
  by?: string;
  why?: string;
};

export type Call = {
  method: string;
  path: string;
  body?: unknown;
  /** Undefined for an anonymous visitor. */
  token?: string | undefined;
  headers?: Headers;
};

export type Headers = Record<string, string>;

/** Sends requests to the product. */
export type Balancer = { send(call: Call): Promise<Outcome> };

export const REQUEST_LIMIT_MS = 8_000;

/**
 * Sends requests to the ready instances in turn, as the reverse proxy of `server/deploy` does, and tries another one only
 * if nothing was sent to the first.
 */
export function createBalancer(instances: readonly Instance[]): Balancer {
  let turn = 0;

  function choose(): Instance[] {
    turn += 1;
    const order = instances.map((_, index) => instances[(turn + index) % instances.length] as Instance);
    // Without a database none is ready, but a 503 says more than no response.
    return [...order].sort((a, b) => Number(b.isReady()) - Number(a.isReady()));
  }

  async function send(call: Call): Promise<Outcome> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    let why = "no instance";
    let by = "";
    for (const { url } of choose()) {
      by = url;
      try {
        const response = await fetch(url + call.path, {
          method: call.method,
          headers: headersOf(call),
          ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
          signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
        });
        const text = await response.text();
        return { ...outcomeOf(response.status, text, (name) => response.headers.get(name), elapsed()), by };
      } catch (error) {
        why = codeOf(error);
        if (why !== "ECONNREFUSED") break;
      }
    }
    return { status: undefined, body: undefined, retryAfterS: 0, ms: elapsed(), by, why };
  }

  return { send };
}

/** Whether the response says that nothing was done, and nothing will be; `too-slow` if the network held the body. */
export function isUndone({ status, body }: Outcome): boolean {
  const code = (body as { code?: unknown } | undefined)?.code;
  return status === 429 || code === "unavailable" || code === "too-slow";
}

export function headersOf({ token, body, headers }: Call): Headers {
  return {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  };
}

/** Interprets a response. */
export function outcomeOf(
  status: number,
  text: string,
  header: (name: string) => unknown,
  ms: number,
): Outcome {
  const retryAfterS = Number(header("retry-after") ?? 0);
  const next = /^<([^>]+)>; rel="next"$/.exec(String(header("link") ?? ""))?.[1];
  const replayed = header("idempotency-replayed") === "true";
  return { status, body: parse(text), retryAfterS, ms, next, replayed };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The code or name of the cause of `fetch`'s error, with the state of its connection. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code, socket } = cause as Error & { code?: unknown; socket?: object };
  if (code === undefined) return cause.name;
  return socket ? `${String(code)} ${cause.message} ${JSON.stringify(socket)}` : String(code);
}
