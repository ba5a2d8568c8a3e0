import type { RequestHandler } from "express";

/** Whether this server is about to stop, and who has to know. */
export type Stopping = {
  /** True from the first moment of stopping on. */
  readonly begun: boolean;
  /**
   * Calls back once when stopping begins, at once if it has: whoever keeps a connection open beyond an answer
   * (an event stream) closes it then.
   * @returns takes the callback back.
   */
  onStopping(callback: () => void): () => void;
  begin(): void;
};

/** One for each server; `serve` begins it. */
export function stoppable(): Stopping {
  const callbacks = new Set<() => void>();
  let begun = false;
  return {
    get begun() {
      return begun;
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
  };
}

/** Asks clients to end their connection with the answer once stopping has begun, so that none of them sends into a closing one. */
export function lastAnswers(stopping: Pick<Stopping, "begun">): RequestHandler {
  return (_request, response, next) => {
    if (stopping.begun) response.setHeader("Connection", "close");
    next();
  };
}
