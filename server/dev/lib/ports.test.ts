import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort, isPortFree } from "./ports.ts";

test("When a free port is chosen, then it is outside the system's ephemeral range", async () => {
  for (let turn = 0; turn < 20; turn++) {
    const port = await freePort();
    expect([port >= 1_024 && port < 32_768, await isPortFree(port)]).toEqual([true, true]);
  }
});

test("When a server listens on a port, on any address, then the port is not free", async () => {
  const server = createServer().listen(await freePort());
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  expect(await isPortFree(port)).toBe(false);
  server.close();
});
