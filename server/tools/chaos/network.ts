import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "../lib/ports.ts";

export type Link = Awaited<ReturnType<typeof createLink>>;

/** One connection: what its client has sent of late, and what waits because the link is cut. */
type Connection = { sockets: readonly Socket[]; heard: Set<string>; held: (() => void)[] };

/**
 * A network link: a proxy in front of a server on this machine. While it is cut, nothing passes in either direction and
 * nothing is closed, as with a broken line; what was on its way arrives when it is mended.
 * @param names texts by which {@link Link.cut} may tell connections apart.
 */
export async function createLink(targetPort: number, names: () => readonly string[] = () => []) {
  const connections = new Set<Connection>();
  let isCut: (connection: Connection) => boolean = () => false;
  let areResponsesCut = false;

  const server = createServer((client) => {
    const upstream = connect(targetPort, "127.0.0.1");
    const connection: Connection = { sockets: [client, upstream], heard: new Set(), held: [] };
    connections.add(connection);
    const pass = (step: () => void) => (isCut(connection) ? void connection.held.push(step) : step());
    client.on("data", (chunk) => {
      for (const name of names()) if (chunk.includes(name)) connection.heard.add(name);
      pass(() => void upstream.write(chunk));
    });
    upstream.on("data", (chunk) => {
      const write = () => void client.write(chunk);
      if (areResponsesCut) connection.held.push(write);
      else pass(write);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one
        .on("error", () => undefined)
        .on("close", () => pass(() => void other.destroy()))
        .on("close", () => one.destroyed && other.destroyed && connections.delete(connection));
  });
  const port = await freePort();
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    port,
    /**
     * Holds what passes, and new connections too.
     * @param from only connections on which this text, for example a sender's address, was sent to the server.
     */
    cut(from?: string): void {
      isCut = ({ heard }) => from === undefined || heard.has(from);
    },
    /** Holds only what the server sends: requests arrive, and nobody gets a response. */
    cutResponses(): void {
      areResponsesCut = true;
    },
    mend(): void {
      isCut = () => false;
      areResponsesCut = false;
      for (const { held } of connections) for (const step of held.splice(0)) step();
    },
    close(): void {
      server.close();
      for (const { sockets } of connections) for (const socket of sockets) socket.destroy();
    },
  };
}
