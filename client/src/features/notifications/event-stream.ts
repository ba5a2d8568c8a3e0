import type { EventSource } from "eventsource";
import { fetchAsUser } from "../../lib/api.ts";
import { retryAfterOf } from "../../lib/problem.ts";

/** The first and the longest wait before reconnecting, in ms. Each wait is twice the one before. */
const RETRY_MS = { first: 1_000, max: 30_000 } as const;
/** A stream without any data for this long, not even a heartbeat, counts as dead, in ms. */
const HEARTBEAT_TIMEOUT_MS = 70_000;

export type StreamDeps = {
  /** The URL including its query. */
  url(): string;
  /** The ID token, refreshed if `fresh`; null when nobody is signed in. */
  getToken(fresh: boolean): Promise<string | null>;
  onEvent(name: (typeof EVENT_NAMES)[number], data: unknown): void;
  /** True when the stream has opened, false when it has failed. */
  onState(open: boolean): void;
  /** An attempt was refused: the account is suspended. */
  onRefused(): void;
  fetch?: typeof fetch;
};

const EVENT_NAMES = ["unread", "notification", "conversation", "task"] as const;

/**
 * Reads `GET /me/events` until paused. Reconnects with exponential backoff, after the last event received, and with a
 * fresh token if the old one is rejected. `restart` reconnects immediately, for a changed URL.
 */
export function openStream({
  url,
  getToken,
  onEvent,
  onState,
  onRefused,
  fetch: send = (...args) => fetch(...args),
}: StreamDeps) {
  let source: EventSource | undefined;
  let lastId = "";
  let failures = 0;
  /** The `Retry-After` of the last response, in ms. */
  let retryAfterMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  // Counts the attempts, to ignore events of an abandoned one.
  let attempt = 0;

  const resetWatchdog = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(reconnectLater, HEARTBEAT_TIMEOUT_MS);
  };

  // Unlike the browser's own EventSource, this one can send the token.
  const fetchWithToken = async (address: string | URL, init: RequestInit) => {
    const sentHeaders = new Headers(init.headers);
    if (lastId) sentHeaders.set("Last-Event-ID", lastId);
    const response = await fetchAsUser(address, { ...init, headers: sentHeaders }, getToken, send);
    if (response.status === 403) onRefused();
    retryAfterMs = response.ok ? 0 : (retryAfterOf(response.headers) ?? 0) * 1_000;
    const { redirected, status, headers, url: from } = response;
    const body = response.body && onEachChunk(response.body, resetWatchdog);
    return { redirected, status, headers, url: from, body };
  };

  const connect = async () => {
    attempt += 1;
    const own = attempt;
    const { EventSource } = await import("eventsource");
    if (own !== attempt) return;
    const opened = new EventSource(url(), { fetch: fetchWithToken });
    source = opened;
    resetWatchdog();
    opened.addEventListener("open", () => {
      failures = 0;
      onState(true);
    });
    opened.addEventListener("error", () => own === attempt && reconnectLater());
    for (const name of EVENT_NAMES) {
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        if (own !== attempt) return;
        if (lastEventId) lastId = lastEventId;
        onEvent(name, parse(data));
      });
    }
  };

  const close = () => {
    attempt += 1;
    clearTimeout(timer);
    clearTimeout(watchdog);
    source?.close();
    source = undefined;
  };

  function reconnectLater(): void {
    close();
    onState(false);
    const wait = Math.min(RETRY_MS.max, RETRY_MS.first * 2 ** failures);
    failures += 1;
    // Jitter, so that clients do not all reconnect to a restarted server at the same moment.
    const jitter = Math.random() / 2;
    timer = setTimeout(start, Math.max(retryAfterMs * (1 + jitter), wait * (0.75 + jitter)));
    retryAfterMs = 0;
  }

  function start(): void {
    // Loading the library's chunk may fail, too.
    connect().catch(reconnectLater);
  }

  start();
  return {
    /** Closes the stream until the next `restart`, which continues after the last event received. */
    pause: close,
    restart() {
      close();
      start();
    },
  };
}

function onEachChunk(body: ReadableStream<Uint8Array>, onChunk: () => void): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onChunk();
        controller.enqueue(chunk);
      },
    }),
  );
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
