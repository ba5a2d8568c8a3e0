import { type Call, toRequest } from "../lib/request.ts";
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

/** Sends a request to the product. */
export type Send = (call: Call) => Promise<Outcome>;

/** The product ends every request within five seconds; the rest allows for a busy machine. */
const REQUEST_LIMIT_MS = 8_000;

/**
 * Sends requests to the ready instances in turn, as the reverse proxy of `server/deploy` does, and tries another one only
 * if nothing was sent to the first.
 */
export function createBalancer(instances: readonly Instance[]): Send {
  let turn = 0;

  function choose(): Instance[] {
    turn += 1;
    const order = instances.map((_, index) => instances[(turn + index) % instances.length] as Instance);
    // Without a database none is ready, but a 503 says more than no response.
    return order.sort((a, b) => Number(b.isReady()) - Number(a.isReady()));
  }

  return async (call) => {
    const { path, ...request } = toRequest(call);
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    let why = "no instance";
    let by = "";
    for (const { url } of choose()) {
      by = url;
      try {
        const signal = AbortSignal.timeout(REQUEST_LIMIT_MS);
        const response = await fetch(url + path, { ...request, signal });
        const text = await response.text();
        return {
          status: response.status,
          body: parse(text),
          retryAfterS: Number(response.headers.get("retry-after") ?? 0),
          next: /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1],
          replayed: response.headers.get("idempotency-replayed") === "true",
          ...{ ms: elapsed(), by },
        };
      } catch (error) {
        why = codeOf(error);
        if (why !== "ECONNREFUSED") break;
      }
    }
    return { status: undefined, body: undefined, retryAfterS: 0, ms: elapsed(), by, why };
  };
}

/** Whether the response says that nothing was done, and nothing will be; `too-slow` if the network held the body. */
export function isUndone({ status, body }: Outcome): boolean {
  const code = (body as { code?: unknown } | undefined)?.code;
  return status === 429 || code === "unavailable" || code === "too-slow";
}

/** Whether the client knows that the request was done. */
export function isAcknowledged({ status }: { status: number | undefined }): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The code or name of the cause of `fetch`'s error. */
function codeOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, name } = cause as { code?: string; name?: string };
  return code ?? name ?? String(cause);
}
