import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { UserError } from "./user-error.ts";

function tryToListen(port: number, host?: string): Promise<number | undefined> {
  return new Promise((done, reject) => {
    const probe = createServer();
    probe.once("error", ({ code }: NodeJS.ErrnoException) => {
      // Windows denies access to the higher ports that it reserves; for these, another one will do.
      if (code !== "EACCES" || port > 1_023) return done(undefined);
      reject(new UserError(`Port ${port} may not be opened by this user: choose a number above 1023.`));
    });
    probe.listen({ port, host, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : undefined));
    });
  });
}

/**
 * Whether nothing listens on the port: neither on loopback nor (unless `loopbackOnly`) on any other address.
 * @throws {UserError} if it is a port below 1024 that this user may not open.
 */
export async function isPortFree(port: number, { loopbackOnly = false } = {}): Promise<boolean> {
  if (!(await tryToListen(port, "127.0.0.1"))) return false;
  return loopbackOnly || Boolean(await tryToListen(port));
}

// Below the ephemeral ports used for outgoing connections and `listen(0)`: Linux starts at 32768, others at 49152.
const FIRST_PORT = 20_000;
const PORTS = 12_000;
const TRIES = 100;
const given = new Set<number>();

/**
 * Finds a free loopback port outside the ephemeral range, so that no other program is likely to get it before the caller
 * listens on it; never the same twice, as the caller may listen much later.
 */
export async function freePort(): Promise<number> {
  for (let turn = 0; turn < TRIES; turn++) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (given.has(port) || !(await tryToListen(port, "127.0.0.1"))) continue;
    given.add(port);
    return port;
  }
  throw new Error("No free loopback port.");
}
