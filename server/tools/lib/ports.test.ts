import { once } from "node:events";
import { createServer, Server } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("When this user may not open a port, then that is said instead of calling it taken, but a reserved high port counts as taken", async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  // Emulated, because tests may run as root, which may open every port.
  vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server) {
    process.nextTick(() => this.emit("error", Object.assign(new Error("denied"), { code: "EACCES" })));
    return this;
  });
  await expect(isPortFree(80)).rejects.toThrow("Port 80 may not be opened by this user");
  expect(await isPortFree(3_000)).toBe(false);
});
