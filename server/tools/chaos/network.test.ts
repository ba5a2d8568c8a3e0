import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../lib/ports.ts";
import { createLink } from "./network.ts";

test("When a link is cut, then nothing passes either way and nothing is closed; once mended, all of it arrives", async () => {
  const port = await freePort();
  const server = createServer((socket) => socket.pipe(socket));
  await once(server.listen(port, "127.0.0.1"), "listening");
  const link = await createLink(port);
  onTestFinished(() => {
    link.close();
    server.close();
  });
  const client = connect(link.port, "127.0.0.1");
  let received = "";
  client.on("data", (chunk) => (received += chunk));
  client.write("one ");
  await expect.poll(() => received).toBe("one ");
  link.cut();
  client.write("two ");
  await sleep(50);
  expect([received, client.closed]).toEqual(["one ", false]);
  link.mend();
  await expect.poll(() => received).toBe("one two ");
});
