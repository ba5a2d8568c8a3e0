/**
 * How often a client must be notified of a new bid on their task: once whenever a freelancer without a bid places one. A
 * request without a response may have placed one more, later.
 */
export class NewBidNotices {
  readonly #tasks = new Map<string, { sure: number; maybe: number }>();

  /** Records an acknowledged bid of a freelancer who had none. */
  placed(taskId: string): void {
    this.#of(taskId).sure += 1;
  }

  /** Records a bid whose outcome is unknown. */
  unsure(taskId: string): void {
    this.#of(taskId).maybe += 1;
  }

  /** A line for each task whose client was notified too rarely or too often. */
  problems(received: ReadonlyMap<string, number>): string[] {
    return [...new Set([...this.#tasks.keys(), ...received.keys()])].flatMap((id) => {
      const { sure, maybe } = this.#of(id);
      const notified = received.get(id) ?? 0;
      if (notified >= sure && notified <= sure + maybe) return [];
      return [
        `${id}: notified of ${notified} new bids; ${sure} were acknowledged, ${maybe} sent without a response`,
      ];
    });
  }

  #of(taskId: string) {
    const entry = this.#tasks.get(taskId) ?? { sure: 0, maybe: 0 };
    this.#tasks.set(taskId, entry);
    return entry;
  }
}
