import type { RequestHandler } from "express";

/** Whether this server is about to stop, and who has to know. */
export type Stopping = {
  /** True from the first moment of stopping on. */
  readonly begun: boolean;
  /** True once no new connections are taken. */
  readonly parting: boolean;
  /**
   * Calls back once when stopping begins, at once if it has: whoever keeps a connection open beyond an answer
   * (an event stream) closes it then.
   * @returns takes the callback back.
   */
  onStopping(callback: () => void): () => void;
  begin(): void;
  /** No new connections are taken from now on: those that are open end with their next answer. */
  part(): void;
};

/** One for each server; `serve` begins it. */
export function stoppable(): Stopping {
  const callbacks = new Set<() => void>();
  let begun = false;
  let parting = false;
  return {
    get begun() {
      return begun;
    },
    get parting() {
      return parting;
    },
    onStopping(callback) {
      if (begun) callback();
      else callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
    begin() {
      begun = true;
      for (const callback of callbacks) callback();
      callbacks.clear();
    },
    part() {
      parting = true;
    },
  };
}

/**
 * Asks clients to end their connection with the answer, so that none of them sends into a closing one. Not before new
 * connections are refused: those who heed it come back at once, and would wait in line at a door that is about to close.
 */
export function lastAnswers(stopping: Pick<Stopping, "parting">): RequestHandler {
  return (_request, response, next) => {
    if (stopping.parting) response.setHeader("Connection", "close");
    next();
  };
}
