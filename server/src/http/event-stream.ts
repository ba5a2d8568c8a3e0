import { once } from "node:events";
import type { Request, Response } from "express";

/** A response that stays open and sends server-sent events (HTML Living Standard, section 9.2) to one client. */
export type EventStream = {
  /** Sends an event. @param id what the client sends as `Last-Event-ID` when it reconnects. */
  send(event: string, data: unknown, id?: string): void;
  /** Sends a heartbeat, which keeps proxies from closing the connection. Disconnects a client that reads nothing. */
  beat(): void;
  /** Resolves when the client has read most of what was sent, or the stream has closed. */
  drained(): Promise<void>;
  readonly isOpen: boolean;
  /** Ends the stream; the client will reconnect after a while. */
  close(): void;
  /** Calls back once when the stream has closed, on either side. */
  onClose(callback: () => void): void;
};

/** A client that leaves more than this unread is disconnected; after reconnecting it gets what it missed. */
const MAX_UNREAD_BYTES = 256 * 1024;
// Random, so that the clients of a stopped server do not all reconnect at the same time.
const RETRY_MS = { min: 1_000, spread: 2_000 };

const LINGER_MS = 3_000;
/** Longer than the interval between heartbeats; other responses have a shorter socket timeout. */
const SILENT_MS = 60_000;

/**
 * Opens an event stream. Proxies and caches must not buffer, change or compress it, which would delay events.
 * For a HEAD request only the headers are sent and the stream is closed.
 */
export function openEventStream(
  request: Request,
  response: Response,
  { maxUnread = MAX_UNREAD_BYTES }: { maxUnread?: number } = {},
): EventStream {
  response.setHeader("Content-Type", "text/event-stream");
  response.setHeader("Cache-Control", "no-store, no-transform");
  // Keeps nginx from buffering.
  response.setHeader("X-Accel-Buffering", "no");
  response.setTimeout(SILENT_MS);
  const isOpen = () => !response.writableEnded && !response.destroyed;
  const write = (text: string) => {
    if (!isOpen()) return;
    response.write(text);
    if (response.writableLength > maxUnread) response.destroy();
  };
  if (request.method === "HEAD") response.end();
  else write(`retry: ${RETRY_MS.min + Math.floor(Math.random() * RETRY_MS.spread)}\n\n`);

  return {
    send(event, data, id) {
      write(`event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
    },
    beat() {
      if (isOpen() && response.writableNeedDrain) response.destroy();
      else write(": heartbeat\n\n");
    },
    async drained() {
      if (!isOpen() || !response.writableNeedDrain) return;
      const ended = new AbortController();
      const either = { signal: ended.signal };
      await Promise.race([once(response, "drain", either), once(response, "close", either)]).catch(
        () => undefined,
      );
      ended.abort();
    },
    get isOpen() {
      return isOpen();
    },
    close() {
      if (!isOpen()) return;
      response.end();
      // A client that reads nothing does not read the end either.
      const cut = setTimeout(() => response.destroy(), LINGER_MS).unref();
      response.once("close", () => clearTimeout(cut));
    },
    onClose(callback) {
      if (response.closed) callback();
      else response.once("close", callback);
    },
  };
}
