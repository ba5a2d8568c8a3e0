import { createServer } from "node:net";

function tryToListen(port: number, host?: string): Promise<number | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(undefined));
    probe.listen({ port, host, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : undefined));
    });
  });
}

/** True if nobody listens on the port: on loopback, nor (unless `loopbackOnly`) on any other address. */
export async function isPortFree(port: number, { loopbackOnly = false } = {}): Promise<boolean> {
  if (!(await tryToListen(port, "127.0.0.1"))) return false;
  return loopbackOnly || Boolean(await tryToListen(port));
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const port = await tryToListen(0, "127.0.0.1");
  if (!port) throw new Error("No free loopback port.");
  return port;
}
