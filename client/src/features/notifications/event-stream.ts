import type { EventSource } from "eventsource";
import { retryAfterOf } from "../../lib/problem.ts";

/** The shortest and the longest wait before a new attempt, in ms: each is twice the one before. */
const RETRY_MS = { first: 1_000, most: 30_000 } as const;
/** A stream on which nothing came for so long, not even the server's sign of life, is taken for dead, in ms. */
const SILENCE_MS = 70_000;

export type StreamDeps = {
  /** The address with its query. */
  url(): string;
  /** The ID token, fresh if asked for; null when nobody is signed in. */
  getToken(fresh: boolean): Promise<string | null>;
  onEvent(name: (typeof NAMES)[number], data: unknown): void;
  /** True when the stream stands, false when it broke. */
  onState(open: boolean): void;
  fetch?: typeof fetch;
};

const NAMES = ["unread", "notification", "conversation", "task"] as const;

/**
 * Reads `GET /me/events` until paused: begins again by itself, ever more slowly while that fails, after the last event
 * it saw and with a fresh token when the old one is refused. `restart` begins anew at once, for a changed address.
 */
export function openStream({
  url,
  getToken,
  onEvent,
  onState,
  fetch: send = (...args) => fetch(...args),
}: StreamDeps) {
  let source: EventSource | undefined;
  let lastId = "";
  let failures = 0;
  /** How long the server asked to be left alone, in ms. */
  let askedToWait = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  // Counts attempts: what an abandoned one still says is not listened to.
  let era = 0;

  const alive = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(broke, SILENCE_MS);
  };

  // Unlike the browser's own EventSource, this one can send the token.
  const authorized = async (address: string | URL, init: RequestInit) => {
    const ask = async (fresh: boolean) => {
      const token = await getToken(fresh);
      if (!token) throw new Error("Nobody is signed in.");
      const headers = new Headers(init.headers);
      headers.set("Authorization", `Bearer ${token}`);
      if (lastId) headers.set("Last-Event-ID", lastId);
      return send(address, { ...init, headers });
    };
    const first = await ask(false);
    const response = first.status === 401 ? await ask(true) : first;
    askedToWait = response.ok ? 0 : (retryAfterOf(response.headers) ?? 0) * 1_000;
    const { redirected, status, headers, url: from } = response;
    return { redirected, status, headers, url: from, body: response.body && watched(response.body, alive) };
  };

  const connect = async () => {
    era += 1;
    const mine = era;
    const { EventSource } = await import("eventsource");
    if (mine !== era) return;
    const opened = new EventSource(url(), { fetch: authorized });
    source = opened;
    alive();
    opened.addEventListener("open", () => {
      failures = 0;
      onState(true);
    });
    opened.addEventListener("error", () => mine === era && broke());
    for (const name of NAMES) {
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        if (mine !== era) return;
        if (lastEventId) lastId = lastEventId;
        onEvent(name, parse(data));
      });
    }
  };

  const close = () => {
    era += 1;
    clearTimeout(timer);
    clearTimeout(watchdog);
    source?.close();
    source = undefined;
  };

  function broke(): void {
    close();
    onState(false);
    const wait = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures);
    failures += 1;
    // Spread out, so that a restarted server is not met by everybody at once.
    const spread = Math.random() / 2;
    timer = setTimeout(begin, Math.max(askedToWait * (1 + spread), wait * (0.75 + spread)));
    askedToWait = 0;
  }

  function begin(): void {
    // The library's chunk may fail to arrive as well.
    connect().catch(broke);
  }

  begin();
  return {
    /** Nothing is read until the next `restart`, which goes on after the last event. */
    pause: close,
    restart() {
      close();
      begin();
    },
  };
}

function watched(body: ReadableStream<Uint8Array>, onBytes: () => void): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onBytes();
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
