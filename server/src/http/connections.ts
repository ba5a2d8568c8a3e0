import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isIPv6, type Socket } from "node:net";
import { refuseUnparsed } from "./problem.ts";

/** The open connections of a listener and the requests in flight on them. */
export type Connections = {
  /** Wraps a request handler so that it handles one request per connection at a time. */
  serialize(handler: Handler): RequestListener;
  /** Accepts a new connection, closing an idle one if there are too many, or closes the new one. */
  add(socket: Socket): void;
  /** Makes every connection end with its next response, so that no client sends into a closing one. */
  closeKeepAlive(): void;
  /** The number of open connections. */
  open(): number;
  /** The number of connections with a request in flight. Computed, not counted, so tests can verify other counters. */
  busy(): number;
  /** How many idle connections were closed to make room for new ones, since the start. */
  evicted(): number;
  /** How many new connections were closed because there was no room, since the start. */
  refused(): number;
};

export type ConnectionLimits = {
  /** How long a connection is kept without a request, if there is room. */
  idleMs: number;
  /** A connection whose client reads nothing of the response for this long is closed. */
  stalledMs: number;
  /** So is one whose client does not read a whole chunk (one `write`) within about this time, however busily it reads. */
  chunkMs: number;
  /** The maximum number of open connections. */
  total: number;
  /** The maximum for one IP address (one /64 network with IPv6). */
  perAddress: number;
};

/** Calls `next` if it cannot parse the request's target, as Express does before any middleware. */
export type Handler = (...call: [...Parameters<RequestListener>, next: () => void]) => void;

type Pending = { request: IncomingMessage; response: ServerResponse };
/** `idle` is ordered: the connection that has been idle for longest comes first. */
type Peer = { open: number; idle: Set<Socket> };
/** `unread` since when a chunk waits for the client to read it, and what had been sent before. */
type Connection = {
  address: string;
  peer: Peer;
  current?: ServerResponse | undefined;
  queue: Pending[];
  unread?: { sent: number; since: number } | undefined;
};

/** How many requests a client may pipeline; browsers and proxies do not pipeline at all. */
const MAX_QUEUED = 20;
/** A client that pipelines has this long to read a chunk: its next requests do not wait behind one that it ignores. */
const PIPELINED_CHUNK_MS = 2_000;
const SWEEP_MS = 1_000;

/**
 * Tracks and limits connections. When there are too many, from one address or in total, the one that has been idle for
 * longest is closed for the new one; a connection with a request in flight is never closed for another.
 *
 * Pipelined requests are handled one after another, so that a connection never holds the resources of more than one
 * request. Node would start them all at the same time, and never emits `close` on a response that is queued behind
 * another when their connection ends, so everything that is released on `close` would leak.
 */
export function trackConnections(limits: ConnectionLimits): Connections {
  const { idleMs, stalledMs, chunkMs } = limits;
  const all = new Map<Socket, Connection>();
  const idle = new Set<Socket>();
  const peers = new Map<string, Peer>();
  const sweep = setInterval(cutSlowReaders, SWEEP_MS).unref();
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
    socket.once("close", () => forget(socket));
  }

  /** A client that reads a few bytes now and then never counts as stalled, and could keep its request in flight forever. */
  function cutSlowReaders(): void {
    if (draining && all.size === 0) clearInterval(sweep);
    const now = performance.now();
    for (const [socket, connection] of all) {
      // Node counts whole chunks only.
      const sent = socket.bytesWritten - socket.writableLength;
      const { unread, queue } = connection;
      if (socket.writableLength === 0) connection.unread = undefined;
      else if (unread?.sent !== sent) connection.unread = { sent, since: now };
      else if (now - unread.since >= (queue.length > 0 ? PIPELINED_CHUNK_MS : chunkMs)) socket.destroy();
    }
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

  /** Closes the connection that has been idle for longest. @returns false if none is idle. */
  function evictFrom([longest]: Set<Socket>): boolean {
    if (!longest) return false;
    evicted++;
    forget(longest);
    longest.destroy();
    return true;
  }

  function serialize(handler: Handler): RequestListener {
    function start(socket: Socket, connection: Connection, { request, response }: Pending): void {
      connection.current = response;
      if (draining) response.setHeader("Connection", "close");
      setBusy(socket, connection.peer);
      // Node counts bytes that the client reads as activity, and destroys the socket if `timeout` has no listener.
      socket.setTimeout(stalledMs);
      response.on("close", () => {
        connection.current = undefined;
        const next = connection.queue.shift();
        if (next && socket.writable) {
          start(socket, connection, next);
          return;
        }
        // Overrides the timeout that Node has just set.
        socket.setTimeout(idleMs);
        if (all.has(socket)) setIdle(socket, connection.peer);
      });
      handler(request, response, () => refuseUnparsed(new Error("no path"), socket));
    }

    return (request, response) => {
      const { socket } = request;
      const connection = all.get(socket);
      // Requests that were parsed after the connection was closed are not started.
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
 * The key for limits per address: an IPv4 address, or the /64 network of an IPv6 address, because a single customer
 * controls a whole network and could otherwise use any number of addresses.
 */
export function addressKey(ip: string | undefined): string {
  if (ip === undefined) return "unknown";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = "", tail = ""] = ip.toLowerCase().split("::", 2);
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return `${[...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

// The last 32 bits may be written as an IPv4 address, which counts as two groups.
function groupsOf(text: string): string[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => (group.includes(".") ? [group, group] : group));
}
