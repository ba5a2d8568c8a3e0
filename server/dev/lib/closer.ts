import { explain } from "./user-error.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What runs and must be stopped, in reverse order of its start, also when a signal comes in the middle of the start. */
export class Closer {
  readonly #stops: (() => Promise<void>)[] = [];
  readonly #abort = new AbortController();
  #closing: Promise<void> | undefined;

  /** Throws once stopping has begun: what starts should go no further. */
  throwIfClosing(): void {
    this.#abort.signal.throwIfAborted();
  }

  /** Aborted when stopping begins. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Registers something whose start is under way; stopping waits for the start, then stops it. */
  track<T>(starting: Promise<T>, stop: (started: T) => Promise<void> | void): Promise<T> {
    this.#stops.push(async () => {
      const started = await starting.then(
        (value) => ({ value }),
        () => undefined,
      );
      if (started) await stop(started.value);
    });
    return starting;
  }

  /** Registers a stop that is ready to be called. */
  add(stop: () => Promise<void> | void): void {
    this.#stops.push(async () => stop());
  }

  /** Stops everything once; errors are shown, and do not keep the rest from stopping. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.#abort.abort();
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop()) {
      try {
        await stop();
      } catch (error) {
        process.stderr.write(`${explain(error)}\n`);
      }
    }
  }

  /** Something that everything depends on is gone: says so, stops the rest and ends the process. */
  readonly fail = (error: unknown): void => {
    if (this.signal.aborted) return;
    process.stderr.write(`\n${explain(error)}\n`);
    void this.close().then(() => process.exit(1));
  };

  /** Ctrl-C and its kin stop everything and end the process; a second one does not wait. */
  closeOnSignal(exitCode = 0): void {
    let signals = 0;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(1);
        process.stdout.write("\n  Stopping (once more to force)\n");
        void this.close().then(() => process.exit(exitCode));
      });
    }
  }
}
