import { setTimeout as sleep } from "node:timers/promises";
import { aTaskDraft } from "../../test/builders.ts";
import type { Sample } from "./fill.ts";
import { measureRound, type RequestSource, requestOf, roundRobin } from "./load.ts";
import { ROWS, type RowName, rowsOf } from "./rows.ts";
import type { ServerProcess } from "./server-process.ts";

/** The resident memory of the product under mixed load: the average of each minute, in bytes. */
export type MemoryFigures = { minutes: number[] };

/** The share of each row in 100 requests; the rest posts tasks. */
const SHARES: readonly (readonly [RowName, number])[] = [
  [ROWS.firstHot, 40],
  [ROWS.byId, 20],
  [ROWS.featuredHot, 10],
  [ROWS.category, 10],
  [ROWS.deep, 5],
  [ROWS.frequent, 3],
  [ROWS.rare, 3],
  [ROWS.bid, 6],
];
const SAMPLE_MS = 1_000;

/** Measures the memory for some minutes under a mix of all requests. */
export async function measureMemory(
  server: ServerProcess,
  sample: Sample,
  { minutes, connections }: { minutes: number; connections: number },
  progress: (text: string) => void,
): Promise<MemoryFigures> {
  const source = mixedRequests(sample);
  const averages: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const [average] = await Promise.all([
      averageOf(server),
      measureRound(server.url, source, { seconds: 60, connections }),
    ]);
    averages.push(average);
    progress(`memory in minute ${minute}: ${Math.round(average / 1e6)} MB`);
  }
  return { minutes: averages };
}

async function averageOf({ residentBytes }: ServerProcess): Promise<number> {
  let sum = 0;
  const samples = 60_000 / SAMPLE_MS;
  for (let at = 0; at < samples; at++) {
    await sleep(SAMPLE_MS);
    sum += await residentBytes();
  }
  return sum / samples;
}

/** Mixes the requests by their shares, always in the same order. */
function mixedRequests(sample: Sample): RequestSource {
  const rows = rowsOf(sample);
  const post = roundRobin(sample.tokens, (token) =>
    requestOf("POST", "/tasks", { token, body: aTaskDraft() }),
  );
  const mix = SHARES.flatMap(([name, share]) =>
    Array.from({ length: share }, () => rows[name].product ?? post),
  );
  while (mix.length < 100) mix.push(post);
  let turn = 0;
  // 37 and 100 are coprime, so this visits every entry.
  return () => (mix[(turn++ * 37) % mix.length] as RequestSource)();
}
