import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressKey } from "./request-limits.ts";

/** The open connections of a listener, and what is being worked on for them. */
export type Connections = {
  /** A request handler that works on one request of a connection at a time. */
  serialize(handler: RequestListener): RequestListener;
  /** A connection was made: it is kept, in place of an idle one if there are too many, or closed. */
  add(socket: Socket): void;
  /** From now on connections end with their next response, so that no client sends into a closing one. */
  closeKeepAlive(): void;
  /** How many are open. */
  open(): number;
  /** How many of them have a request under way. Looked up, not counted: other counts can be compared with it. */
  busy(): number;
  /** How many idle ones had to make room for a new one, since the start. */
  evicted(): number;
  /** How many new ones were closed because there was no room, since the start. */
  refused(): number;
};

export type ConnectionLimits = {
  /** How long a connection is kept without a request, if there is room. */
  idleMs: number;
  /** A connection that takes nothing of its response for so long is closed. */
  stalledMs: number;
  /** So is one that takes no whole piece of it (what was written at once) for so long; twice that at most. */
  pieceMs: number;
  /** So many are open at most, */
  total: number;
  /** and so many of one address (of one /64 with IPv6). */
  perAddress: number;
};

type Pending = { request: IncomingMessage; response: ServerResponse };
/** `idle` is in the order in which they fell idle. */
type Peer = { open: number; idle: Set<Socket> };
type Connection = { address: string; peer: Peer; current?: ServerResponse | undefined; queue: Pending[] };

/** Browsers and proxies do not pipeline; whoever does may send so many requests ahead. */
const MAX_QUEUED = 20;

/**
 * Keeps the account of connections. When there are too many, of an address or in all, the one that has been idle for
 * longest is closed for the new one; one with a request under way is never closed for another.
 *
 * Requests that a client pipelines are worked on one after another, so one connection never holds more than one request's
 * resources. Node would start them all at once, and never emits `close` on a response that is queued behind another one
 * when their connection ends: whatever is released on `close` would be held for ever.
 */
export function trackConnections(limits: ConnectionLimits): Connections {
  const { idleMs, stalledMs, pieceMs } = limits;
  const all = new Map<Socket, Connection>();
  const idle = new Set<Socket>();
  const peers = new Map<string, Peer>();
  let draining = false;
  let evicted = 0;
  let refused = 0;

  function add(socket: Socket): void {
    const address = addressKey(socket.remoteAddress);
    const peer = peers.get(address) ?? { open: 0, idle: new Set() };
    const hasRoom =
      (peer.open < limits.perAddress || evictFrom(peer.idle)) && (all.size < limits.total || evictFrom(idle));
    if (!hasRoom) {
      refused++;
      socket.destroy();
      return;
    }
    peers.set(address, peer);
    peer.open++;
    all.set(socket, { address, peer, queue: [] });
    setIdle(socket, peer);
    const watch = setInterval(cutIfBehind(socket), pieceMs).unref();
    socket.once("close", () => {
      clearInterval(watch);
      forget(socket);
    });
  }

  function setIdle(socket: Socket, peer: Peer): void {
    for (const each of [idle, peer.idle]) each.add(socket);
  }

  function setBusy(socket: Socket, peer: Peer): void {
    for (const each of [idle, peer.idle]) each.delete(socket);
  }

  function forget(socket: Socket): void {
    const connection = all.get(socket);
    if (!connection) return;
    const { address, peer } = connection;
    all.delete(socket);
    setBusy(socket, peer);
    peer.open--;
    if (peer.open === 0) peers.delete(address);
  }

  /** Closes the first one. @returns false if there is none. */
  function evictFrom([longest]: Set<Socket>): boolean {
    if (!longest) return false;
    evicted++;
    forget(longest);
    longest.destroy();
    return true;
  }

  function serialize(handler: RequestListener): RequestListener {
    function start(socket: Socket, connection: Connection, { request, response }: Pending): void {
      connection.current = response;
      if (draining) response.setHeader("Connection", "close");
      setBusy(socket, connection.peer);
      // Node counts what the client takes as activity, and destroys the socket when nobody listens to `timeout`.
      socket.setTimeout(stalledMs);
      response.on("close", () => {
        connection.current = undefined;
        const next = connection.queue.shift();
        if (next && socket.writable) {
          start(socket, connection, next);
          return;
        }
        // Node has just set its own timeout.
        socket.setTimeout(idleMs);
        if (all.has(socket)) setIdle(socket, connection.peer);
      });
      handler(request, response);
    }

    return (request, response) => {
      const { socket } = request;
      const connection = all.get(socket);
      // What was parsed after the connection had been closed is not begun.
      if (!connection || socket.destroyed) return;
      if (!connection.current) start(socket, connection, { request, response });
      else if (connection.queue.push({ request, response }) > MAX_QUEUED) socket.destroy();
    };
  }

  return {
    add,
    serialize,
    closeKeepAlive() {
      draining = true;
    },
    open: () => all.size,
    busy: () => [...all].filter(([socket, { current }]) => current && !socket.destroyed).length,
    evicted: () => evicted,
    refused: () => refused,
  };
}

/**
 * Whoever takes a few bytes now and then never stalls, and would hold the place of its request for as long as it likes.
 * @returns closes the socket if the piece that waited at the last call is still not taken.
 */
function cutIfBehind(socket: Socket): () => void {
  let takenBefore: number | undefined;
  return () => {
    // Node counts whole pieces.
    const taken = socket.bytesWritten - socket.writableLength;
    if (taken === takenBefore) socket.destroy();
    takenBefore = socket.writableLength > 0 ? taken : undefined;
  };
}
