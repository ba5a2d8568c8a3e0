import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import { type ConnectionLimits, type Connections, trackConnections } from "./connections.ts";
import { refuseUnparsed } from "./problem.ts";

/** Sockets that take requests. */
export type Listener = {
  port: number;
  connections: Pick<Connections, "open" | "busy" | "evicted" | "refused">;
  /** Takes no new connections and waits for the requests in flight, at most {@link DRAIN_MS}. */
  close(): Promise<void>;
};

/** The port could not be opened; the message says why and what to do. */
export class ListenError extends Error {
  override name = "ListenError";
}

// Stopping takes ten seconds at most, with the pause before it and the closing of the database after it.
const DRAIN_MS = 6_000;
const SWEEP_MS = 50;
/** A new connection looks as idle as a finished one: its request is given this long to arrive. */
const LAST_REQUESTS_MS = 500;

// A request has 15 s to arrive whole (slow clients hold a socket no longer); Node looks every 5 s.
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
} as const;

/** Clients are told to keep an idle connection so long: longer than common balancers do. */
const KEEP_ALIVE_MS = 65_000;
/** It is kept longer than they are told, so that no late or busy client sends into a closing one. */
const KEPT_LONGER_MS = 15_000;

/**
 * A reader that takes nothing for so long is gone; Node notices after twice that at most. Not less than a request's body
 * may be silent before it is refused as too slow.
 */
const STALLED_MS = 20_000;
/** What is written at once is 64 kB of a file, or all of a page: that takes half a minute at 2 to 5 kB/s. */
const PIECE_MS = 30_000;

/**
 * An open connection costs some 20 kB: beyond these memory would be the limit. Event streams are most of them. An address
 * may be an office, whose idle connections are closed first.
 */
const MAX_CONNECTIONS = { total: 5_000, perAddress: 500 } as const;

export type ListenOptions = Partial<Omit<ConnectionLimits, "idleMs">> & {
  /** 0 lets the system choose. */
  port: number;
  /** Without hosts on every interface, IPv4 and IPv6. */
  hosts: string[];
  /** Connections come from a trusted proxy, and many people's share its address: it has to limit them. */
  behindProxy?: boolean;
  keepAliveMs?: number;
};

/**
 * Listens on the port on each of the hosts.
 * @throws {ListenError} if the port is taken or not allowed.
 */
export async function listen(
  handler: RequestListener,
  { port: wanted, hosts, behindProxy = false, keepAliveMs = KEEP_ALIVE_MS, ...limits }: ListenOptions,
): Promise<Listener> {
  const [first, ...others] = hosts;
  const clients = trackConnections({
    idleMs: keepAliveMs + KEPT_LONGER_MS,
    stalledMs: STALLED_MS,
    pieceMs: PIECE_MS,
    ...MAX_CONNECTIONS,
    ...limits,
    ...(behindProxy && { perAddress: Number.POSITIVE_INFINITY }),
  });
  const openOn = (port: number, host: string | undefined) =>
    open(handler, { port, host, keepAliveMs, clients });
  const main = await openOn(wanted, first);
  const port = (main.address() as AddressInfo).port;
  const servers = [main];
  try {
    for (const host of others) {
      const server = await openOn(port, host).catch(ignoreMissingAddress);
      if (server) servers.push(server);
    }
  } catch (error) {
    await Promise.all(servers.map(drain));
    throw error;
  }
  return {
    port,
    connections: clients,
    close: async () => {
      // After the event loop has accepted all pending connections: the kernel resets those still queued.
      await setImmediate();
      const drained = servers.map(drain);
      // Not earlier: clients that heed it reconnect at once, and would queue for a socket that is about to close.
      clients.closeKeepAlive();
      await Promise.all(drained);
    },
  };
}

type Place = { port: number; host: string | undefined; keepAliveMs: number; clients: Connections };

function open(handler: RequestListener, { port, host, keepAliveMs, clients }: Place): Promise<Server> {
  const server = createServer({ ...TIMEOUTS, keepAliveTimeout: keepAliveMs }, clients.serialize(handler));
  // Node would leave out those after the 2,000th without a word: a condition, or a second one of what is meant once.
  server.maxHeadersCount = 0;
  server.on("connection", clients.add);
  server.on("clientError", refuseUnparsed);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explainListenError(error, port, "PORT")));
    server.listen({ port, ...(host !== undefined && { host }) }, () => resolve(server));
  });
}

/** Why a port could not be opened. @param variable names it in the configuration. */
export function explainListenError(error: NodeJS.ErrnoException, port: number, variable: string): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program: stop that program, or set ${variable} to another number.`,
    EACCES: `Port ${port} may not be opened by this user: set ${variable} to a number above 1023.`,
  };
  const reason = error.code === undefined ? undefined : reasons[error.code];
  return reason === undefined ? error : new ListenError(reason, { cause: error });
}

// A machine without IPv6 still has the IPv4 loopback.
function ignoreMissingAddress(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EADDRNOTAVAIL" && error.code !== "EAFNOSUPPORT") throw error;
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection falls idle after its last response, and would else be kept for the next request.
    const stopped = performance.now();
    const sweep = setInterval(() => {
      if (performance.now() - stopped >= LAST_REQUESTS_MS) server.closeIdleConnections();
    }, SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // Only stops listening; the HTTP server's own `close` also ends what it takes for idle, at once.
    NetServer.prototype.close.call(server, () => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}
