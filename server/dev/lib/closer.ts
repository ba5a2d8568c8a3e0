import { explain } from "./user-error.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Stops what was started, in reverse order, even if a signal comes in the middle of the start. */
export class Closer {
  readonly #stops: (() => Promise<void>)[] = [];
  readonly #abort = new AbortController();
  #closing: Promise<void> | undefined;

  /** Throws once stopping has begun, to end a start. */
  throwIfClosing(): void {
    this.#abort.signal.throwIfAborted();
  }

  /** Aborted when stopping begins. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Registers something that is being started; closing waits until it has, then stops it. */
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

  /** Registers a function to call on close. */
  add(stop: () => Promise<void> | void): void {
    this.#stops.push(async () => stop());
  }

  /** Stops everything once; an error is printed and does not keep the rest running. */
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

  /** For a crash of something that everything depends on: prints the error, stops the rest and ends the process. */
  readonly fail = (error: unknown): void => {
    if (this.signal.aborted) return;
    process.stderr.write(`\n${explain(error)}\n`);
    void this.close().then(() => process.exit(1));
  };

  /** Ctrl-C and similar signals stop everything and end the process; a second one does not wait. */
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
