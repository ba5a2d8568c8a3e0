import { setTimeout as sleep } from "node:timers/promises";
import { explain } from "./user-error.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What takes longer to stop is given up: it may wait for something that has crashed. `run` kills after ten seconds. */
const STOP_MS = 12_000;

/** No person presses Ctrl-C again within this time. */
const REPEAT_MS = 500;

/** Stops what was started, in reverse order, even if a signal arrives during the start. */
export class Closer {
  readonly #stops: (() => Promise<void>)[] = [];
  readonly #abort = new AbortController();
  readonly #stopMs: number;
  #closing: Promise<void> | undefined;
  /** Whether a signal, a crash or the parent's end stops everything: the next signal ends the process. */
  #isUrgent = false;

  constructor({ stopMs = STOP_MS } = {}) {
    this.#stopMs = stopMs;
  }

  /** Aborted when closing begins. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether something else than the work itself began the closing. */
  get isInterrupted(): boolean {
    return this.#isUrgent;
  }

  /** Registers something that is starting; closing waits until it has started, then stops it. */
  track<T>(starting: Promise<T>, stop: (started: T) => Promise<void> | void): Promise<T> {
    this.#stops.push(async () => {
      const [outcome] = await Promise.allSettled([starting]);
      if (outcome.status === "fulfilled") await stop(outcome.value);
    });
    return starting;
  }

  /** Registers a function to call on close. */
  add(stop: () => Promise<void> | void): void {
    this.#stops.push(async () => stop());
  }

  /** Stops everything, once; errors are printed and do not prevent the rest from stopping. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.#abort.abort();
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop()) {
      try {
        await within(this.#stopMs, stop());
      } catch (error) {
        process.stderr.write(`${explain(error)}\n`);
      }
    }
  }

  /** Stops everything and ends the process; the next signal ends it at once. */
  end(exitCode: number): void {
    this.#isUrgent = true;
    void this.close().then(() => process.exit(exitCode));
  }

  /** For the crash of something essential: prints the error, stops the rest and ends the process. */
  readonly fail = (error: unknown): void => {
    if (this.signal.aborted) return;
    process.stderr.write(`\n${explain(error)}\n`);
    this.end(1);
  };

  /** Makes Ctrl-C and similar signals stop everything and end the process. */
  closeOnSignal(exitCode = 0): void {
    let first = 0;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        const now = performance.now();
        // Where /bin/sh is bash, one Ctrl-C comes twice: from the terminal and from npm.
        if (first && now < first + REPEAT_MS) return;
        if (this.#isUrgent) process.exit(1);
        first = now;
        process.stdout.write("\n  Stopping (press Ctrl-C again to force)\n");
        this.end(exitCode);
      });
    }
  }
}

async function within(ms: number, stopping: Promise<void>): Promise<void> {
  const stopped = new AbortController();
  const isLate = sleep(ms, true, { signal: stopped.signal }).catch(() => false);
  try {
    if (await Promise.race([stopping, isLate]))
      throw new Error(`Something did not stop within ${ms / 1_000} s and is left behind.`);
  } finally {
    stopped.abort();
  }
}

/**
 * Runs a command, then stops what it started. Errors after a signal are dropped: the signal's handler ends the process.
 * @param options.stays what has started runs until a signal.
 */
export async function withCloser(
  work: (closer: Closer) => Promise<void>,
  { stays = false } = {},
): Promise<void> {
  const closer = new Closer();
  closer.closeOnSignal(stays ? 0 : 1);
  try {
    await work(closer);
  } catch (error) {
    await closer.close();
    if (closer.isInterrupted) return;
    throw error;
  }
  if (!stays) await closer.close();
}
