import type { Instance } from "./instance.ts";

/** The outcome of a request. Without a response `status` is undefined: nobody knows whether it was done. */
export type Outcome = {
  status: number | undefined;
  body: unknown;
  retryAfterS: number;
  ms: number;
  /** The path of the list's next page, if there is one. */
  next?: string | undefined;
  why?: string;
};

export type Call = {
  method: string;
  path: string;
  body?: unknown;
  /** Without one, an anonymous visitor's. */
  token?: string | undefined;
  headers?: Record<string, string>;
};

export type Balancer = ReturnType<typeof createBalancer>;

const REQUEST_LIMIT_MS = 20_000;

/**
 * Sends requests to the instances in turn, as the reverse proxy of `server/deploy` does: to those that are ready, and to
 * another one only if nothing was sent to the first.
 */
export function createBalancer(instances: readonly Instance[]) {
  let turn = 0;

  function choose(): Instance[] {
    turn += 1;
    const order = instances.map((_, index) => instances[(turn + index) % instances.length] as Instance);
    // Without a database none is ready: their 503 says more than no response.
    return [...order].sort((a, b) => Number(b.isReady()) - Number(a.isReady()));
  }

  async function send(call: Call): Promise<Outcome> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    let why = "no instance";
    for (const { url } of choose()) {
      try {
        const response = await fetch(url + call.path, {
          method: call.method,
          headers: {
            ...(call.token && { authorization: `Bearer ${call.token}` }),
            ...(call.body !== undefined && { "content-type": "application/json" }),
            ...call.headers,
          },
          ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
          signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
        });
        const text = await response.text();
        const retryAfterS = Number(response.headers.get("retry-after") ?? 0);
        const next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
        return { status: response.status, body: parse(text), retryAfterS, ms: elapsed(), next };
      } catch (error) {
        why = codeOf(error);
        if (why !== "ECONNREFUSED") break;
      }
    }
    return { status: undefined, body: undefined, retryAfterS: 0, ms: elapsed(), why };
  }

  return { send };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The code or name of what caused the error of `fetch`, and what the connection had carried. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code, socket } = cause as Error & { code?: unknown; socket?: object };
  if (code === undefined) return cause.name;
  return socket ? `${String(code)} ${cause.message} ${JSON.stringify(socket)}` : String(code);
}
