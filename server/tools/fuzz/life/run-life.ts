import fc from "fast-check";
import { describe, type Move } from "./actions.ts";
import { commands, STARTS, type Start } from "./commands.ts";
import { newLife } from "./model.ts";
import { movesIn, observeAll, play, type Tally } from "./play.ts";
import type { World } from "./world.ts";

export type LifeOptions = { seed: number; sequences: number };
export type LifeResult = LifeOptions & {
  steps: number;
  seconds: number;
  tally: Tally;
  /** The smallest sequence that contradicts the model, and the difference. */
  problem: string | undefined;
};

/** How many sequences share a seed, which increases by that number, and a set of accounts. */
const SEQUENCES_PER_SEED = 100;
/** How long a failing sequence is shrunk. */
const SHRINKING_MS = 60_000;

/** Plays sequences of moves until one contradicts the model, and shrinks that one. */
export async function runLife(
  world: World,
  { seed, sequences }: LifeOptions,
  progress: (text: string) => void,
): Promise<LifeResult> {
  const tally: Tally = new Map();
  const started = performance.now();
  let problem: string | undefined;
  let done = 0;
  while (done < sequences && problem === undefined) {
    const batch = { seed: seed + done, numRuns: Math.min(SEQUENCES_PER_SEED, sequences - done) };
    await world.renewAccounts();
    problem = await playSequences(world, batch, tally);
    done += batch.numRuns;
    progress(`life of a task: ${done} sequences, ${movesIn(tally)} steps`);
  }
  const seconds = (performance.now() - started) / 1_000;
  return { seed, sequences: done, steps: movesIn(tally), seconds, tally, problem };
}

/** Plays these moves from a new start. @returns the difference from the model, if any. */
export async function playMoves(world: World, moves: readonly Move[]): Promise<string | undefined> {
  const life = newLife();
  const tally: Tally = new Map();
  try {
    for (const move of moves) await play(world, life, move, tally);
    await observeAll(world, life);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await world.reset();
  }
}

async function playSequences(
  world: World,
  batch: { seed: number; numRuns: number },
  tally: Tally,
): Promise<string | undefined> {
  let failedAt = Number.POSITIVE_INFINITY;
  const starts = fc.constantFrom(...(Object.keys(STARTS) as Start[]));
  const turns = fc.noShrink(fc.nat(1_000));
  const property = fc.asyncProperty(starts, turns, commands(), async (start, turn, moves) => {
    if (performance.now() - failedAt > SHRINKING_MS) return;
    const life = newLife(turn);
    try {
      for (const move of STARTS[start]) await play(world, life, move, tally);
      await fc.asyncModelRun(async () => ({ model: life, real: { world, tally } }), moves);
      await observeAll(world, life);
    } catch (error) {
      failedAt = Math.min(failedAt, performance.now());
      throw error;
    } finally {
      await world.reset();
    }
  });
  const details = await fc.check(property, { ...batch, unbiased: true });
  if (!details.failed) return undefined;
  const [start, , moves] = details.counterexample ?? [];
  const before = start ? STARTS[start].map((move) => `\n  ${describe(move)}`).join("") : "";
  const error = details.errorInstance instanceof Error ? details.errorInstance.message : "";
  const shown = `${before}${moves}`.replaceAll(",\n", "\n");
  return `seed ${batch.seed}, after ${details.numShrinks} shrinks:${shown}\n${error}`;
}
