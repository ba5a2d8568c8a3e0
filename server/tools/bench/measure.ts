import type { Closer } from "../lib/closer.ts";
import { type Figures, figuresOf, pairedRatio, type Round } from "./figures.ts";
import type { DatabaseSize, FilledDatabase, Sample } from "./fill.ts";
import { measureRound, registerPeople, type Streamed, streamAll } from "./load.ts";
import { ROWS, type Row, rowsOf } from "./rows.ts";
import { KINDS, type Kind, type ServerProcess, startServerProcess } from "./server-process.ts";
import type { Setup } from "./servers/child.ts";

/** Per row, so that the JIT compiler and caches are warm before it is measured. */
const WARM_UP_S = 3;
/** A slower server is not measured again: the plain one takes half a minute for a million tasks. */
const TOO_SLOW_S = 5;

export type RowResult = {
  figures: Partial<Record<Kind, Figures>>;
  /** The product's throughput divided by theirs: the median over pairs of rounds. */
  toFloor: number;
  toPlain: number;
};

export type SizeResult = {
  count: number;
  size: DatabaseSize;
  deepPage: number;
  rows: Record<string, RowResult>;
  /** Undefined if it was not measured; a server that failed has an undefined result. */
  streamed: Partial<Record<Kind, Streamed | undefined>> | undefined;
};

export type MeasureOptions = {
  rounds: number;
  seconds: number;
  connections: number;
  /** Measures only what has one of these in its name; everything if empty. */
  only: readonly string[];
};

/** Whether a measurement with this name was requested. */
export const isWanted = (name: string, { only }: Pick<MeasureOptions, "only">): boolean =>
  only.length === 0 || only.some((part) => name.includes(part));

/** One database with the servers on it. `uncached` is the product without its response cache. */
export type TestBed = { filled: FilledDatabase; sample: Sample; servers: Servers };
type Servers = Record<Exclude<Kind, "plain"> | "uncached", ServerProcess> & {
  plain: ServerProcess | undefined;
};

/** Starts the servers of one database. */
export async function openTestBed(
  filled: FilledDatabase,
  sample: Sample,
  { publicKey, webRoot }: Pick<Setup, "publicKey" | "webRoot">,
  closer: Closer,
): Promise<TestBed> {
  const { uri, dbName, plainDbName } = filled;
  const common = { uri, dbName, publicKey, deepPlace: sample.deepPlace, cacheResponses: false };
  const start = (kind: Kind, setup: Partial<Setup> = {}) =>
    startServerProcess(kind, { ...common, ...setup }, closer);
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
export async function measureStreams({ servers }: TestBed): Promise<NonNullable<SizeResult["streamed"]>> {
  return {
    product: await streamAll(servers.uncached, "/tasks"),
    floor: await streamAll(servers.floor, "/all"),
    ...(servers.plain && { plain: await streamAll(servers.plain, "/tasks") }),
  };
}

/** Measures all rows on all test beds in turns, so that other load on the machine affects all of them. */
export async function measureRows(
  testBeds: readonly TestBed[],
  options: MeasureOptions,
  progress: (text: string) => void,
): Promise<Record<string, RowResult>[]> {
  const results = testBeds.map((): Record<string, RowResult> => ({}));
  const names = Object.values(ROWS).filter((name) => isWanted(name, options));
  for (const name of names) {
    const entries = testBeds.map((testBed) => ({
      testBed,
      row: rowsOf(testBed.sample)[name],
      rounds: noRounds(),
    }));
    if (name === ROWS.bid)
      for (const { servers, sample } of testBeds) await registerPeople(servers.uncached.url, sample.tokens);
    for (const { testBed, row, rounds } of entries) {
      const warmUp = noRounds();
      await takeTurn(testBed, row, warmUp, { ...options, seconds: WARM_UP_S }, 0);
      for (const kind of KINDS) rounds[kind] = warmUp[kind].filter(isTooSlow);
    }
    for (let turn = 0; turn < options.rounds; turn++)
      for (const { testBed, row, rounds } of entries) await takeTurn(testBed, row, rounds, options, turn);
    for (const [index, { testBed, rounds }] of entries.entries()) {
      const result = resultOf(rounds);
      (results[index] as Record<string, RowResult>)[name] = result;
      progress(`${testBed.filled.count} ${name}: ${summary(result)}`);
    }
  }
  return results;
}

const isTooSlow = ({ latencies, failures, seconds }: Round) =>
  seconds > TOO_SLOW_S * Math.max(1, latencies.length + failures);

const noRounds = (): Record<Kind, Round[]> => ({ product: [], floor: [], plain: [] });

async function takeTurn(
  { servers }: TestBed,
  row: Row,
  rounds: Record<Kind, Round[]>,
  options: MeasureOptions,
  turn: number,
): Promise<void> {
  // Each round starts with a different server.
  const order = KINDS.map((_, index) => KINDS[(index + turn) % KINDS.length] as Kind);
  for (const kind of order) {
    const source = row[kind];
    const server = servers[kind === "product" && !row.hot ? "uncached" : kind];
    if (!source || !server || rounds[kind].some(isTooSlow)) continue;
    rounds[kind].push(await measureRound(server.url, source, options));
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
