import { once } from "node:events";
import type { Request, Response } from "express";

/** A response that stays open: server-sent events (HTML Living Standard, section 9.2) to one reader. */
export type EventStream = {
  /** Sends an event. @param id what the reader sends as `Last-Event-ID` when it comes back. */
  send(event: string, data: unknown, id?: string): void;
  /** A heartbeat: keeps proxies from closing a silent connection, and ends it for a reader who takes nothing. */
  beat(): void;
  /** Resolves when the reader has taken most of what was sent, or the stream is over. */
  drained(): Promise<void>;
  readonly isOpen: boolean;
  /** Ends it: the reader comes back after a while by itself. */
  close(): void;
  /** Calls back once when it is over, whoever ended it. */
  onClose(callback: () => void): void;
};

/** A reader who leaves more than this unread is cut off; it reconnects, and gets what it missed. */
const MAX_UNREAD_BYTES = 256 * 1024;
// Spread out, so that not all readers of a stopped server reconnect at once.
const RETRY_MS = { min: 1_000, spread: 2_000 };

const LINGER_MS = 3_000;
/** The listener closes connections on which nothing moves; here that is longer than from one beat to the next. */
const SILENT_MS = 60_000;

/**
 * Opens the stream. Nothing between here and the reader may keep, change or compress it: that would hold events back.
 * A HEAD request gets the headers only, and a stream that is closed.
 */
export function openEventStream(
  request: Request,
  response: Response,
  { maxUnread = MAX_UNREAD_BYTES }: { maxUnread?: number } = {},
): EventStream {
  response.setHeader("Content-Type", "text/event-stream");
  response.setHeader("Cache-Control", "no-store, no-transform");
  // nginx would buffer it.
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
      // A reader who takes nothing does not take the end either.
      const cut = setTimeout(() => response.destroy(), LINGER_MS).unref();
      response.once("close", () => clearTimeout(cut));
    },
    onClose(callback) {
      if (response.closed) callback();
      else response.once("close", callback);
    },
  };
}
