import fc from "fast-check";
import { describe, type Move } from "./acts.ts";
import { BEGINNINGS, type Beginning, commands } from "./commands.ts";
import { beginning } from "./model.ts";
import { movesIn, observeAll, play, type Tally } from "./play.ts";
import type { World } from "./world.ts";

export type LifeOptions = { seed: number; sequences: number };
export type LifeResult = LifeOptions & {
  steps: number;
  seconds: number;
  tally: Tally;
  /** The smallest sequence that shows something else than the model says, and what. */
  problem: string | undefined;
};

/** So many sequences are drawn with one seed, the next ones with one that much higher; by people with fresh accounts. */
const DRAWN_AT_ONCE = 100;
/** A sequence that shows something is made smaller for so long. */
const SHRINKING_MS = 60_000;

/** Plays sequences of moves until one shows something that the model does not; that one is shrunk. */
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
    const drawn = { seed: seed + done, numRuns: Math.min(DRAWN_AT_ONCE, sequences - done) };
    await world.recast();
    problem = await playSequences(world, drawn, tally);
    done += drawn.numRuns;
    progress(`life of a task: ${done} sequences, ${movesIn(tally)} steps`);
  }
  const seconds = (performance.now() - started) / 1_000;
  return { seed, sequences: done, steps: movesIn(tally), seconds, tally, problem };
}

/** Plays these moves from the beginning. @returns what shows something that the model does not. */
export async function playMoves(world: World, moves: readonly Move[]): Promise<string | undefined> {
  const life = beginning();
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
  drawn: { seed: number; numRuns: number },
  tally: Tally,
): Promise<string | undefined> {
  let failedAt = Number.POSITIVE_INFINITY;
  const starts = fc.constantFrom(...(Object.keys(BEGINNINGS) as Beginning[]));
  const turns = fc.noShrink(fc.nat(1_000));
  const property = fc.asyncProperty(starts, turns, commands(), async (start, turn, moves) => {
    if (performance.now() - failedAt > SHRINKING_MS) return;
    const life = beginning(turn);
    try {
      for (const move of BEGINNINGS[start]) await play(world, life, move, tally);
      await fc.asyncModelRun(async () => ({ model: life, real: { world, tally } }), moves);
      await observeAll(world, life);
    } catch (error) {
      failedAt = Math.min(failedAt, performance.now());
      throw error;
    } finally {
      await world.reset();
    }
  });
  const details = await fc.check(property, { ...drawn, unbiased: true });
  if (!details.failed) return undefined;
  const [start, , moves] = details.counterexample ?? [];
  const before = start ? BEGINNINGS[start].map((move) => `\n  ${describe(move)}`).join("") : "";
  const error = details.errorInstance instanceof Error ? details.errorInstance.message : "";
  const shown = `${before}${moves}`.replaceAll(",\n", "\n");
  return `seed ${drawn.seed}, after ${details.numShrinks} shrinks:${shown}\n${error}`;
}
