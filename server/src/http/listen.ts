import { createServer, type Server, type ServerOptions } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import { type ConnectionLimits, type Connections, type Handler, trackConnections } from "./connections.ts";
import { refuseUnparsed } from "./problem.ts";

/** A server that accepts requests. */
export type Listener = {
  port: number;
  connections: Pick<Connections, "open" | "busy" | "evicted" | "refused">;
  /** Stops accepting connections and waits for the requests in flight, for at most {@link DRAIN_MS}. */
  close(): Promise<void>;
};

/** The port could not be opened; the message says why and what to do. */
export class ListenError extends Error {
  override name = "ListenError";
}

// A shutdown takes at most ten seconds, including the stop delay before this and closing the database afterwards.
const DRAIN_MS = 6_000;
const SWEEP_MS = 50;
/** A new connection looks as idle as a finished one, so its first request gets this long to arrive. */
const FIRST_REQUEST_MS = 500;

// A request has 15 s to arrive completely, so that slow clients do not hold a socket; Node checks every 5 s.
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
};

/** The keep-alive timeout announced to clients; longer than that of common load balancers. */
const KEEP_ALIVE_MS = 65_000;
/** Connections are kept longer than announced, so that a late request does not meet a closing connection. */
const KEEP_ALIVE_GRACE_MS = 15_000;

/**
 * A client that reads nothing for this long is gone; Node notices after at most twice that. Not shorter than the pause
 * that a request's body may make before it is rejected as too slow.
 */
const STALLED_MS = 20_000;
/** A chunk is 64 kB of a file, or a whole page, which takes half a minute at 2 to 5 kB/s. */
const CHUNK_MS = 30_000;

/** Memory is the limit: an open connection costs some 20 kB. One address may be a whole office. */
const MAX_CONNECTIONS = { total: 5_000, perAddress: 500 } as const;

export type ListenOptions = Partial<Omit<ConnectionLimits, "idleMs">> & {
  /** 0 lets the system choose. */
  port: number;
  /** If empty, listens on every interface, IPv4 and IPv6. */
  hosts: string[];
  /** All connections come from a trusted proxy's address, so the proxy has to limit them per client. */
  behindProxy?: boolean;
  keepAliveMs?: number;
  /** Shorter ones for tests. */
  timeouts?: Partial<typeof TIMEOUTS>;
};

/**
 * Listens on the port on each of the hosts.
 * @throws {ListenError} if the port is taken or not allowed.
 */
export async function listen(
  handler: Handler,
  {
    port: wanted,
    hosts,
    behindProxy = false,
    keepAliveMs = KEEP_ALIVE_MS,
    timeouts,
    ...limits
  }: ListenOptions,
): Promise<Listener> {
  const [first, ...others] = hosts;
  const clients = trackConnections({
    idleMs: keepAliveMs + KEEP_ALIVE_GRACE_MS,
    stalledMs: STALLED_MS,
    chunkMs: CHUNK_MS,
    ...MAX_CONNECTIONS,
    ...limits,
    ...(behindProxy && { perAddress: Number.POSITIVE_INFINITY }),
  });
  const options = { ...TIMEOUTS, ...timeouts, keepAliveTimeout: keepAliveMs };
  const openOn = (port: number, host: string | undefined) => open(handler, { port, host, options, clients });
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
      // Lets the event loop accept all pending connections first: the kernel resets those still queued.
      await setImmediate();
      const drained = servers.map(drain);
      // Not earlier: clients reconnect immediately, and would queue for a socket that is about to close.
      clients.closeKeepAlive();
      await Promise.all(drained);
    },
  };
}

type OpenOptions = { port: number; host: string | undefined; options: ServerOptions; clients: Connections };

function open(handler: Handler, { port, host, options, clients }: OpenOptions): Promise<Server> {
  const server = createServer(options, clients.serialize(handler));
  // Node would silently drop headers after the 2,000th, such as a condition or the duplicate of a header.
  server.maxHeadersCount = 0;
  server.on("connection", clients.add);
  server.on("clientError", refuseUnparsed);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explainListenError(error, port, "PORT")));
    server.listen({ port, ...(host !== undefined && { host }) }, () => resolve(server));
  });
}

/** Explains why a port could not be opened. @param variable the environment variable that sets it. */
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
    // Connections become idle after their last response, and would otherwise be kept for the next request.
    const stopped = performance.now();
    const sweep = setInterval(() => {
      if (performance.now() - stopped >= FIRST_REQUEST_MS) server.closeIdleConnections();
    }, SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // Only stops listening; the HTTP server's own `close` would also end idle connections immediately.
    NetServer.prototype.close.call(server, () => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}
