import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The open connections of a listener, and what is being worked on for them. */
export type Connections = {
  /** A request handler that works on one request of a connection at a time. */
  serialize(handler: RequestListener): RequestListener;
  /** A connection was made. */
  add(socket: Socket): void;
  /** How many are open. */
  open(): number;
  /** On how many of them a request is being answered. Looked up, not counted: other counts can be compared with it. */
  busy(): number;
};

type Pending = { request: IncomingMessage; response: ServerResponse };
type Connection = { current?: ServerResponse | undefined; queue: Pending[] };

/** Browsers and proxies do not pipeline; whoever does may send so many requests ahead. */
const MAX_QUEUED = 20;

/**
 * Keeps the account of connections. Requests that a client pipelines are worked on one after another, so one connection
 * never holds more than one request's resources. Node would start them all at once, and never emits `close` on a response
 * that is queued behind another one when their connection ends: whatever is released on `close` would be held for ever.
 * @param options.idleMs how long a connection is kept without a request.
 * @param options.stalledMs a connection that takes nothing of its response for so long is closed.
 */
export function connections({ idleMs, stalledMs }: { idleMs: number; stalledMs: number }): Connections {
  const all = new Map<Socket, Connection>();

  function add(socket: Socket): void {
    all.set(socket, { queue: [] });
    socket.once("close", () => all.delete(socket));
  }

  function serialize(handler: RequestListener): RequestListener {
    function start(socket: Socket, connection: Connection, { request, response }: Pending): void {
      connection.current = response;
      // Node counts what the client takes as activity, and destroys the socket when nobody listens to `timeout`.
      socket.setTimeout(stalledMs);
      response.once("close", () => {
        connection.current = undefined;
        const next = connection.queue.shift();
        if (next && socket.writable) start(socket, connection, next);
        // Node has just set its own timeout.
        else socket.setTimeout(idleMs);
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
    open: () => all.size,
    busy: () => [...all].filter(([socket, { current }]) => current && !socket.destroyed).length,
  };
}
