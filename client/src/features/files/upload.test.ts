import { createServer, globalAgent } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { uploads } from "./upload.tsx";

const ID = "6b0a70000000000000000001";

/** An upload server that answers the first request for a part like this, after it has kept three bytes of it. */
async function serve(status: number): Promise<string[]> {
  const requests: string[] = [];
  let kept = 0;
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.headers["upload-offset"] ?? ""}`.trim());
    let sent = 0;
    for await (const chunk of request) sent += chunk.length;
    response.setHeader("Tus-Resumable", "1.0.0");
    if (request.method === "POST")
      return void response.writeHead(201, { Location: `/files/uploads/${ID}` }).end();
    const isFirst = request.method === "PATCH" && kept === 0;
    if (request.method === "PATCH") kept += isFirst ? 3 : sent;
    response.writeHead(isFirst ? status : 200, { "Upload-Offset": kept, "Upload-Length": 7 }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  // Where the page's own origin is, for Node.
  const { defaultPort } = globalAgent as unknown as { defaultPort: number };
  Object.assign(globalAgent, { defaultPort: (server.address() as AddressInfo).port });
  onTestFinished(() => {
    Object.assign(globalAgent, { defaultPort });
    server.close().closeAllConnections();
  });
  return requests;
}

/** Starts an upload. It resolves to the file's id, and rejects with what went wrong. */
function send(file: File, onError?: (upload: { retry(): void }, message: string) => void): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const hooks = { getToken: () => Promise.resolve("token"), onProgress: () => undefined, onDone: resolve };
    const upload = uploads.start(file, {
      ...hooks,
      onError: (message) => (onError ? onError(upload, message) : reject(message)),
    });
  });
}
// The protocol's library for Node reads buffers.
const PLAN = Object.assign(Buffer.from("A plan."), { name: "plan.txt" }) as unknown as File;

it("When a folder was dropped, or the file is gone, then it says so, and nothing is sent", async () => {
  const requests = await serve(200);
  const gone = () => new ReadableStream({ start: (stream) => stream.error(new Error("NotReadableError")) });
  const folder = { name: "Plans", size: 4_096, slice: gone } as unknown as File;
  await expect(send(folder)).rejects.toMatch(/cannot be read.*folder/);
  expect(requests).toEqual([]);
});

it.each([
  ["took too long to arrive", 408],
  ["came too soon after others", 429],
])("When a part %s, then the upload goes on from what has arrived", async (_, status) => {
  const requests = await serve(status);
  expect(await send(PLAN)).toBe(ID);
  expect(requests).toEqual(["POST", "PATCH 0", "HEAD", "PATCH 3"]);
});

it("When what sends files could not be loaded, such as offline, then it says what to do, and a retry loads it", async () => {
  const requests = await serve(429);
  vi.doMock("tus-js-client", () => Promise.reject(new Error("offline")));
  const id = await send(PLAN, (upload, message) => {
    expect(message).toMatch(/reload the page/);
    vi.doUnmock("tus-js-client");
    upload.retry();
  });
  expect(id).toBe(ID);
  expect(requests[0]).toBe("POST");
});
