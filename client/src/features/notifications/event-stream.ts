import { fetchAsUser } from "../../lib/api.ts";
import { parseBody, retryAfterOf } from "../../lib/problem.ts";

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
  let connection = new AbortController();
  let lastId = "";
  let failures = 0;
  /** Of the next attempt, or, while connected, of the next sign of life. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  const resetWatchdog = () => {
    clearTimeout(timer);
    timer = setTimeout(reconnectLater, HEARTBEAT_TIMEOUT_MS);
  };

  /** Reads a stream until it ends. Unlike the browser's own EventSource, it can send the token. Resolves to the `Retry-After` of a refusal. */
  const read = async (signal: AbortSignal): Promise<number | undefined> => {
    const { createParser } = await import("eventsource-parser");
    const headers = { Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": lastId }) };
    const response = await fetchAsUser(url(), { headers, signal, cache: "no-store" }, getToken, send);
    if (signal.aborted) return;
    if (response.status === 403) onRefused();
    if (!response.ok) return retryAfterOf(response.headers);
    // A proxy may send a page instead.
    if (!response.body || !response.headers.get("Content-Type")?.startsWith("text/event-stream")) return;
    failures = 0;
    onState(true);
    const parser = createParser({
      onEvent({ event, data, id }) {
        const name = EVENT_NAMES.find((known) => known === event);
        if (signal.aborted || !name) return;
        if (id) lastId = id;
        onEvent(name, parseBody(data));
      },
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let chunk = await reader.read(); !chunk.done && !signal.aborted; chunk = await reader.read()) {
      resetWatchdog();
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
  };

  const close = () => {
    connection.abort();
    clearTimeout(timer);
  };

  function reconnectLater(retryAfter = 0): void {
    close();
    onState(false);
    const wait = Math.min(RETRY_MS.max, RETRY_MS.first * 2 ** failures);
    failures += 1;
    // Jitter, so that clients do not all reconnect to a restarted server at the same moment.
    const jitter = Math.random() / 2;
    timer = setTimeout(start, Math.max(retryAfter * 1_000 * (1 + jitter), wait * (0.75 + jitter)));
  }

  function start(): void {
    connection = new AbortController();
    const { signal } = connection;
    resetWatchdog();
    // Loading the library's chunk may fail, too.
    void read(signal)
      .catch(() => undefined)
      .then((retryAfter) => signal.aborted || reconnectLater(retryAfter));
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
