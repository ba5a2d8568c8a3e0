import { type Contestant, type Kind, startContestant } from "./contestant.ts";
import { type Figures, figuresOf, pairedRatio } from "./figures.ts";
import type { Filled } from "./fill.ts";
import { measureRound, type Round } from "./load.ts";
import { type Row, rowsOf, type Sample } from "./rows.ts";
import type { Setup } from "./servers/setup.ts";
import { type Streamed, streamAll } from "./stream-all.ts";

const KINDS = ["ours", "floor", "plain"] as const satisfies readonly Kind[];

/** For each row: the compiler of a server has then seen some thousand requests, and the rounds find it at rest. */
const WARM_UP_S = 3;
/** Who takes longer for one answer is not asked again: the plain way at a million tasks takes half a minute. */
const HOPELESS_S = 5;

export type RowResult = {
  figures: Partial<Record<Kind, Figures>>;
  /** Our throughput by theirs: the median of rounds side by side. */
  toFloor: number;
  toPlain: number;
};

export type SizeResult = {
  count: number;
  deepPage: number;
  rows: Record<string, RowResult>;
  streamed: Partial<Record<Kind, Streamed>>;
};

export type Results = { sizes: SizeResult[]; startMs: number };

export type MeasureOptions = {
  rounds: number;
  seconds: number;
  connections: number;
  /** Only rows whose names have this. */
  only: string;
};

/** One database with the servers on it. `fresh` is ours too, but renders each answer anew. */
export type Site = { filled: Filled; sample: Sample; servers: Record<Kind | "fresh", Contestant> };

/** Starts the servers of one database. */
export async function openSite(
  filled: Filled,
  sample: Sample,
  options: Pick<Setup, "publicKey" | "webRoot">,
  track: (starting: Promise<Contestant>) => Promise<Contestant>,
): Promise<Site> {
  const common = { uri: filled.uri, deepPlace: sample.deepPlace, publicKey: options.publicKey };
  const ourSetup = { ...common, dbName: filled.dbName, webRoot: options.webRoot };
  const start = (kind: Kind, setup: Setup) => track(startContestant(kind, setup));
  return {
    filled,
    sample,
    servers: {
      ours: await start("ours", { ...ourSetup, keepAnswers: true }),
      fresh: await start("ours", { ...ourSetup, keepAnswers: false }),
      floor: await start("floor", { ...common, dbName: filled.dbName, keepAnswers: false }),
      plain: await start("plain", { ...common, dbName: filled.plainDbName, keepAnswers: false }),
    },
  };
}

/** All tasks from each server, before any load has made their heaps larger than an idle server's. */
export async function measureStreams({ servers }: Site): Promise<SizeResult["streamed"]> {
  const [ours, floor, plain] = [
    await streamAll(servers.fresh, "/tasks"),
    await streamAll(servers.floor, "/all"),
    await streamAll(servers.plain, "/tasks"),
  ];
  return { ...(ours && { ours }), ...(floor && { floor }), ...(plain && { plain }) };
}

/** Measures all rows at all sites in turns, so that whatever else the machine does meets each of them. */
export async function measureRows(
  sites: readonly Site[],
  options: MeasureOptions,
  progress: (text: string) => void,
): Promise<Record<string, RowResult>[]> {
  const results = sites.map((): Record<string, RowResult> => ({}));
  const rows = sites.map(({ sample }) => rowsOf(sample).filter(({ name }) => name.includes(options.only)));
  for (const [at, { name }] of (rows[0] ?? []).entries()) {
    const rounds = sites.map(noRounds);
    // Compilers and caches warm up first.
    for (const [index, site] of sites.entries()) {
      const row = rows[index]?.[at];
      const warm = noRounds();
      if (row) await takeTurn(site, row, warm, { ...options, seconds: WARM_UP_S }, 0);
      for (const kind of KINDS)
        (rounds[index] as Record<Kind, Round[]>)[kind] = warm[kind].filter(isHopeless);
    }
    for (let turn = 0; turn < options.rounds; turn++) {
      for (const [index, site] of sites.entries()) {
        const row = rows[index]?.[at];
        if (row) await takeTurn(site, row, rounds[index] as Record<Kind, Round[]>, options, turn);
      }
    }
    for (const [index, taken] of rounds.entries()) {
      const result = resultOf(taken);
      (results[index] as Record<string, RowResult>)[name] = result;
      progress(`${sites[index]?.filled.count} ${name}: ${summary(result)}`);
    }
  }
  return results;
}

const isHopeless = ({ latencies, failures, seconds }: Round) =>
  seconds > HOPELESS_S * Math.max(1, latencies.length + failures);

const noRounds = (): Record<Kind, Round[]> => ({ ours: [], floor: [], plain: [] });

async function takeTurn(
  { servers }: Site,
  { hot, asks }: Row,
  rounds: Record<Kind, Round[]>,
  options: MeasureOptions,
  turn: number,
): Promise<void> {
  // Who is first changes from round to round.
  const order = KINDS.map((_, index) => KINDS[(index + turn) % KINDS.length] as Kind);
  for (const kind of order) {
    const ask = asks[kind];
    if (!ask || rounds[kind].some(isHopeless)) continue;
    const server = servers[kind === "ours" && !hot ? "fresh" : kind];
    rounds[kind].push(await measureRound(server.url, ask, options));
  }
}

function resultOf(rounds: Record<Kind, Round[]>): RowResult {
  const measured = KINDS.filter((kind) => rounds[kind].length > 0);
  return {
    figures: Object.fromEntries(measured.map((kind) => [kind, figuresOf(rounds[kind])])),
    toFloor: pairedRatio(rounds.ours, rounds.floor),
    toPlain: pairedRatio(rounds.ours, rounds.plain),
  };
}

function summary({ figures }: RowResult): string {
  return Object.entries(figures)
    .map(([kind, { perSecond, p50, failures }]) => {
      const failed = failures > 0 ? `, ${failures} failed` : "";
      return `${kind} ${perSecond.toFixed(1)}/s p50 ${p50.toFixed(1)} ms${failed}`;
    })
    .join("; ");
}
