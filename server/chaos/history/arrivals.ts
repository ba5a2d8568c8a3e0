/**
 * How often a client must have been told that somebody new bids on their task: once for each time that a freelancer who
 * had no bid got one. A request without a response may have done it once more, later.
 */
export class Arrivals {
  readonly #tasks = new Map<string, { sure: number; maybe: number }>();

  /** A freelancer without a bid has one now: they were told so. */
  placed(taskId: string): void {
    this.#of(taskId).sure += 1;
  }

  /** A bid was sent, and nobody knows how it ended. */
  unsure(taskId: string): void {
    this.#of(taskId).maybe += 1;
  }

  /** A line for each task whose client was told too little or too much. */
  problems(toldTimes: ReadonlyMap<string, number>): string[] {
    return [...new Set([...this.#tasks.keys(), ...toldTimes.keys()])].flatMap((id) => {
      const { sure, maybe } = this.#of(id);
      const told = toldTimes.get(id) ?? 0;
      if (told >= sure && told <= sure + maybe) return [];
      return [`${id}: told of ${told} new bids; ${sure} were acknowledged, ${maybe} sent without a response`];
    });
  }

  #of(taskId: string) {
    const entry = this.#tasks.get(taskId) ?? { sure: 0, maybe: 0 };
    this.#tasks.set(taskId, entry);
    return entry;
  }
}
