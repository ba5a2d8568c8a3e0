import { get } from "node:http";
import type { Contestant, Memory } from "./contestant.ts";

/** What sending all tasks took; undefined where the server could not. */
export type Streamed = Memory & { seconds: number; bytes: number };

const LIMIT_MS = 180_000;

/** Fetches all tasks once, as fast as they come, while the server watches its memory. */
export async function streamAll(server: Contestant, path: string): Promise<Streamed | undefined> {
  try {
    await server.watchMemory();
    const started = performance.now();
    const bytes = await download(server.url + path);
    const seconds = (performance.now() - started) / 1000;
    return { ...(await server.memory()), seconds, bytes };
  } catch {
    return undefined;
  }
}

function download(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal: AbortSignal.timeout(LIMIT_MS) }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.complete && response.statusCode === 200) resolve(bytes);
        else reject(new Error(`status ${response.statusCode}`));
      });
    });
    request.on("error", reject);
  });
}
