import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { problemSchema } from "../contract/index.ts";
import { type Listener, type ListenOptions, listen } from "./listen.ts";

let listener: Listener | undefined;
afterEach(() => listener?.close());

async function listening(options: Partial<ListenOptions> = {}) {
  const app: RequestListener = ({ headers }, response) => response.end(headers["if-match"] ?? "answered");
  listener = await listen(app, { port: 0, hosts: ["127.0.0.1"], ...options });
  return listener;
}

/** Sends these bytes and returns all that comes back until the connection ends. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(bytes);
  let response = "";
  socket.on("data", (data) => {
    response += data;
  });
  await once(socket, "close");
  return response;
}

test("When headers are too large, or a request is not HTTP, then a problem says so and the connection ends", async () => {
  const { port } = await listening();
  const large = `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${"x".repeat(17_000)}\r\n\r\n`;
  const refused = await send(port, large);
  expect(refused).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\nConnection: close/);
  const [head = "", body = ""] = refused.split("\r\n\r\n");
  const problem = problemSchema.parse(JSON.parse(body));
  expect(problem).toMatchObject({ status: 431, code: "headers-too-large" });
  expect(head).toContain("\r\nContent-Type: application/problem+json");
  expect(head).toContain(`\r\nContent-Length: ${body.length}\r\n`);
  expect(head).toContain(`\r\nX-Request-Id: ${problem.requestId}`);
  expect(await send(port, "nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*"bad-request"/s);
  const smuggled = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc";
  expect(await send(port, smuggled)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("answered");
});

test("When a request has thousands of small headers, then none of them is dropped", async () => {
  const { port } = await listening();
  const many = "a:\r\n".repeat(3_500);
  const request = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${many}If-Match: "7"\r\n\r\n`;
  expect(await send(port, request)).toMatch(/\r\n\r\n"7"$/);
});

test("When a client sends its headers too slowly, then it gets a 408 and is disconnected", async () => {
  const { port } = await listening({ timeouts: { headersTimeout: 300, connectionsCheckingInterval: 100 } });
  // The headers never end.
  expect(await send(port, "GET / HTTP/1.1\r\nHost: a\r\n")).toMatch(
    /^HTTP\/1\.1 408 Request Timeout\r\n.*"too-slow"/s,
  );
});

test("When a client uses a connection after the announced keep-alive timeout, then it is still served", async () => {
  const { port } = await listening({ keepAliveMs: 1_000 });
  const socket = connect(port, "127.0.0.1");
  let responses = "";
  socket.on("data", (data) => {
    responses += data;
  });
  const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  socket.write(request);
  await expect.poll(() => responses).toMatch(/Keep-Alive: timeout=1\r\n.*answered/s);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  responses = "";
  socket.write(request);
  await expect.poll(() => responses).toContain("answered");
  socket.destroy();
});
