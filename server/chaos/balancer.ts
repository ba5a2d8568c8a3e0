import type { Instance } from "./instance.ts";

/** What became of one request. `status` is undefined if no answer came: then nobody knows whether it was done. */
export type Outcome = {
  status: number | undefined;
  body: unknown;
  retryAfterS: number;
  ms: number;
  why?: string;
};

export type Call = {
  method: string;
  path: string;
  body?: unknown;
  token: string;
  headers?: Record<string, string>;
};

/** Sends requests to the instances in turns, as the reverse proxy of `server/deploy` does. */
export type Balancer = { send(call: Call): Promise<Outcome> };

/** No request may take as long as this. */
const PATIENCE_MS = 20_000;
const NOT_SENT = new Set(["ECONNREFUSED"]);

/** Chooses among the instances that say they are ready; tries another one only if nothing was sent to the first. */
export function balancer(instances: readonly Instance[]): Balancer {
  let turn = 0;

  function choose(): Instance[] {
    turn += 1;
    const order = instances.map((_, index) => instances[(turn + index) % instances.length] as Instance);
    // If none is ready (the database is away) they are asked all the same: their 503 says more than none.
    return [...order].sort((a, b) => Number(b.isReady()) - Number(a.isReady()));
  }

  async function send(call: Call): Promise<Outcome> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    let why = "no instance";
    for (const { url } of choose()) {
      try {
        const answer = await fetch(url + call.path, {
          method: call.method,
          headers: {
            authorization: `Bearer ${call.token}`,
            ...(call.body !== undefined && { "content-type": "application/json" }),
            ...call.headers,
          },
          ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const text = await answer.text();
        const retryAfterS = Number(answer.headers.get("retry-after") ?? 0);
        return { status: answer.status, body: parse(text), retryAfterS, ms: elapsed() };
      } catch (error) {
        why = codeOf(error);
        if (!NOT_SENT.has(why)) break;
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

/** Of the error below the one that `fetch` throws: its code, else its name; and what the connection had carried. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code, socket } = cause as Error & { code?: unknown; socket?: object };
  if (code === undefined) return cause.name;
  return socket ? `${String(code)} ${cause.message} ${JSON.stringify(socket)}` : String(code);
}
