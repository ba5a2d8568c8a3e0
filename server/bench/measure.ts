import type { Closer } from "../dev/lib/closer.ts";
import { type Contestant, type Kind, startContestant } from "./contestant.ts";
import { type Figures, figuresOf, pairedRatio, type Round } from "./figures.ts";
import type { Filled, FilledSize, Sample } from "./fill.ts";
import { introduce, measureRound, type Streamed, streamAll } from "./load.ts";
import { ROWS, type Row, rowsOf } from "./rows.ts";
import type { Setup } from "./servers/child.ts";

export const KINDS = ["product", "floor", "plain"] as const satisfies readonly Kind[];

/** For each row, so that compilers and caches are warm before it is measured. */
const WARM_UP_S = 3;
/** A server that takes longer for one response is not measured again: plain takes half a minute for a million tasks. */
const HOPELESS_S = 5;

export type RowResult = {
  figures: Partial<Record<Kind, Figures>>;
  /** The product's throughput by theirs: the median over pairs of rounds. */
  toFloor: number;
  toPlain: number;
};

export type SizeResult = {
  count: number;
  size: FilledSize;
  deepPage: number;
  rows: Record<string, RowResult>;
  /** Undefined if it was not wanted. */
  streamed: Partial<Record<Kind, Streamed | undefined>> | undefined;
};

export type MeasureOptions = {
  rounds: number;
  seconds: number;
  connections: number;
  /** Only what has one of these in its name; with none of them everything. */
  only: readonly string[];
};

/** Whether something of that name is to be measured. */
export const isWanted = (name: string, { only }: Pick<MeasureOptions, "only">): boolean =>
  only.length === 0 || only.some((part) => name.includes(part));

/** One database with the servers on it. `uncached` is the product too, but serializes each response anew. */
export type Site = { filled: Filled; sample: Sample; servers: Servers };
type Servers = Record<Exclude<Kind, "plain"> | "uncached", Contestant> & { plain: Contestant | undefined };

/** Starts the servers of one database. */
export async function openSite(
  filled: Filled,
  sample: Sample,
  { publicKey, webRoot }: Pick<Setup, "publicKey" | "webRoot">,
  closer: Closer,
): Promise<Site> {
  const { uri, dbName, plainDbName } = filled;
  const common = { uri, dbName, publicKey, deepPlace: sample.deepPlace, cacheResponses: false };
  const start = (kind: Kind, setup: Partial<Setup> = {}) =>
    closer.track(startContestant(kind, { ...common, ...setup }), (server) => server.stop());
  return {
    filled,
    sample,
    servers: {
      product: await start("product", { webRoot, cacheResponses: true }),
      uncached: await start("product", { webRoot }),
      floor: await start("floor"),
      plain: plainDbName === undefined ? undefined : await start("plain", { dbName: plainDbName }),
    },
  };
}

/** Downloads all tasks from each server. */
export async function measureStreams({ servers }: Site): Promise<NonNullable<SizeResult["streamed"]>> {
  return {
    product: await streamAll(servers.uncached, "/tasks"),
    floor: await streamAll(servers.floor, "/all"),
    plain: servers.plain && (await streamAll(servers.plain, "/tasks")),
  };
}

/** Measures all rows at all sites in turns, so that whatever else the machine does affects all of them. */
export async function measureRows(
  sites: readonly Site[],
  options: MeasureOptions,
  progress: (text: string) => void,
): Promise<Record<string, RowResult>[]> {
  const results = sites.map((): Record<string, RowResult> => ({}));
  const names = Object.values(ROWS).filter((name) => isWanted(name, options));
  for (const name of names) {
    const entries = sites.map((site) => ({ site, row: rowsOf(site.sample)[name], rounds: noRounds() }));
    if (name === ROWS.bid)
      for (const { servers, sample } of sites) await introduce(servers.uncached.url, sample.tokens);
    for (const { site, row, rounds } of entries) {
      const warmUp = noRounds();
      await takeTurn(site, row, warmUp, { ...options, seconds: WARM_UP_S }, 0);
      for (const kind of KINDS) rounds[kind] = warmUp[kind].filter(isHopeless);
    }
    for (let turn = 0; turn < options.rounds; turn++)
      for (const { site, row, rounds } of entries) await takeTurn(site, row, rounds, options, turn);
    for (const [index, { site, rounds }] of entries.entries()) {
      const result = resultOf(rounds);
      (results[index] as Record<string, RowResult>)[name] = result;
      progress(`${site.filled.count} ${name}: ${summary(result)}`);
    }
  }
  return results;
}

const isHopeless = ({ latencies, failures, seconds }: Round) =>
  seconds > HOPELESS_S * Math.max(1, latencies.length + failures);

const noRounds = (): Record<Kind, Round[]> => ({ product: [], floor: [], plain: [] });

async function takeTurn(
  { servers }: Site,
  row: Row,
  rounds: Record<Kind, Round[]>,
  options: MeasureOptions,
  turn: number,
): Promise<void> {
  // Each round starts with another server.
  const order = KINDS.map((_, index) => KINDS[(index + turn) % KINDS.length] as Kind);
  for (const kind of order) {
    const ask = row[kind];
    const server = servers[kind === "product" && !row.hot ? "uncached" : kind];
    if (!ask || !server || rounds[kind].some(isHopeless)) continue;
    rounds[kind].push(await measureRound(server.url, ask, options));
  }
}

function resultOf(rounds: Record<Kind, Round[]>): RowResult {
  const measured = KINDS.filter((kind) => rounds[kind].length > 0);
  return {
    figures: Object.fromEntries(measured.map((kind) => [kind, figuresOf(rounds[kind])])),
    toFloor: pairedRatio(rounds.product, rounds.floor),
    toPlain: pairedRatio(rounds.product, rounds.plain),
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
