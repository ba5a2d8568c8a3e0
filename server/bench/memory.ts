import { setTimeout as sleep } from "node:timers/promises";
import { aTaskDraft } from "../test/builders.ts";
import type { Contestant } from "./contestant.ts";
import type { Sample } from "./fill.ts";
import { type Ask, measureRound } from "./load.ts";
import { ROWS, type RowName, rowsOf } from "./rows.ts";

/** What the product's process takes while everything is asked of it: the average of each minute, in bytes. */
export type MemoryFigures = { minutes: number[] };

/** How often each is asked for, of a hundred. */
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

/** Asks for everything, as fast as it comes, for so many minutes. */
export async function measureMemory(
  server: Contestant,
  sample: Sample,
  { minutes, connections }: { minutes: number; connections: number },
  progress: (text: string) => void,
): Promise<MemoryFigures> {
  const ask = everything(sample);
  const averages: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const [seen] = await Promise.all([
      averageOf(server),
      measureRound(server.url, ask, { seconds: 60, connections }),
    ]);
    averages.push(seen);
    progress(`memory in minute ${minute}: ${Math.round(seen / 1e6)} MB`);
  }
  return { minutes: averages };
}

async function averageOf({ residentBytes }: Contestant): Promise<number> {
  let sum = 0;
  const samples = 60_000 / SAMPLE_MS;
  for (let at = 0; at < samples; at++) {
    await sleep(SAMPLE_MS);
    sum += await residentBytes();
  }
  return sum / samples;
}

/** Reads and bids by their shares, in an order that is the same every time; the rest posts tasks. */
function everything(sample: Sample): Ask {
  const rows = rowsOf(sample);
  const post: Ask = () => ({
    ...{ method: "POST", path: "/tasks", body: JSON.stringify(aTaskDraft()) },
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${sample.tokens[turn % sample.tokens.length]}`,
    },
  });
  const asks = SHARES.flatMap(([name, share]) =>
    Array.from({ length: share }, () => rows[name].product ?? post),
  );
  while (asks.length < 100) asks.push(post);
  let turn = 0;
  // 37 and 100 have no divisor in common: every one has its turn.
  return () => (asks[(turn++ * 37) % asks.length] as Ask)();
}
