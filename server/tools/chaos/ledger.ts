/** How a write ended for its sender; `unsure` after a 503 without an outcome or no response at all. */
export type Ending = "acknowledged" | "refused" | "unsure";

/** A bid's amount in USD, or no bid at all. */
export type BidState = number | "none";

type TaskEntry = { id: string | undefined; unsure: boolean };
type BidEntry = {
  acknowledged: BidState;
  maybe: Set<BidState>;
  once: Set<BidState>;
  /** Whether the outcome of the last request is unknown. */
  unsure: boolean;
};

export type StoredTask = { id: string; title: string; bidsCount: number };
export type StoredBid = { taskId: string; bidderId: string; amount: number };

/** Differences between what was acknowledged and what is stored. All but `overtaken` must be empty. */
export type Findings = {
  lostTasks: string[];
  duplicatedTasks: string[];
  unknownTasks: string[];
  lostBids: string[];
  duplicatedBids: string[];
  wrongCounts: string[];
  /** Bids whose writer gave up after a minute of retries. */
  neverSettled: string[];
  /** Bids changed by a request without a response after a later request: nothing was promised about it. */
  overtaken: string[];
};

/** What was acknowledged to the writers. Each title, and each pair of task and bidder, has only one writer. */
export class Ledger {
  readonly #tasks = new Map<string, TaskEntry>();
  readonly #bids = new Map<string, BidEntry>();

  /** Records how posting a task, once or repeatedly, ended. */
  posted(title: string, ending: Ending, id?: string): void {
    const entry = this.#tasks.get(title) ?? { id: undefined, unsure: false };
    this.#tasks.set(title, entry);
    if (ending === "acknowledged") entry.id = id;
    if (ending === "unsure") entry.unsure = true;
  }

  /** Records how changing a bid to `state` ended. */
  bid(taskId: string, bidderId: string, state: BidState, ending: Ending): void {
    const key = pair(taskId, bidderId);
    const entry = this.#bids.get(key) ?? {
      acknowledged: "none",
      maybe: new Set(),
      once: new Set(),
      unsure: false,
    };
    this.#bids.set(key, entry);
    entry.unsure = ending === "unsure";
    if (ending === "unsure") {
      entry.maybe.add(state);
      entry.once.add(state);
    }
    if (ending === "acknowledged") {
      entry.acknowledged = state;
      entry.maybe.clear();
    }
  }

  /** Numbers of acknowledged tasks and live bids. */
  counts(): { tasks: number; liveBids: number } {
    const tasks = [...this.#tasks.values()].filter(({ id }) => id !== undefined).length;
    const liveBids = [...this.#bids.values()].filter(({ acknowledged }) => acknowledged !== "none").length;
    return { tasks, liveBids };
  }

  /** Compares what was acknowledged with what is stored. */
  compare(stored: { tasks: readonly StoredTask[]; bids: readonly StoredBid[] }): Findings {
    const counted = new Map<string, number>();
    for (const { taskId } of stored.bids) counted.set(taskId, (counted.get(taskId) ?? 0) + 1);
    const wrongCounts = stored.tasks
      .filter(({ id, bidsCount }) => bidsCount !== (counted.get(id) ?? 0))
      .map(({ id, bidsCount }) => `${id}: bidsCount ${bidsCount}, bids ${counted.get(id) ?? 0}`);
    const neverSettled = [...this.#bids].filter(([, { unsure }]) => unsure).map(([key]) => key);
    return {
      ...this.#compareTasks(stored.tasks),
      ...this.#compareBids(stored.bids),
      wrongCounts,
      neverSettled,
    };
  }

  #compareTasks(stored: readonly StoredTask[]) {
    const ids = groupBy(
      stored,
      ({ title }) => title,
      ({ id }) => id,
    );
    const entries = [...this.#tasks];
    const copies = (title: string) => ids.get(title) ?? [];
    return {
      lostTasks: entries
        .filter(([title, { id }]) => id !== undefined && !copies(title).includes(id))
        .map(([title]) => title),
      duplicatedTasks: entries.filter(([title]) => copies(title).length > 1).map(([title]) => title),
      unknownTasks: [...ids.keys()].filter((title) => {
        const entry = this.#tasks.get(title);
        return entry === undefined || (entry.id === undefined && !entry.unsure);
      }),
    };
  }

  #compareBids(stored: readonly StoredBid[]) {
    const amounts = groupBy(
      stored,
      ({ taskId, bidderId }) => pair(taskId, bidderId),
      ({ amount }) => amount,
    );
    const findings = { lostBids: [] as string[], duplicatedBids: [] as string[], overtaken: [] as string[] };
    for (const key of new Set([...this.#bids.keys(), ...amounts.keys()])) {
      const [state = "none", second]: BidState[] = amounts.get(key) ?? [];
      const entry = this.#bids.get(key);
      if (second !== undefined) findings.duplicatedBids.push(key);
      if (entry && (state === entry.acknowledged || entry.maybe.has(state))) continue;
      const text = `${key}: acknowledged ${entry?.acknowledged ?? "nothing"}, stored ${state}`;
      (entry?.once.has(state) ? findings.overtaken : findings.lostBids).push(text);
    }
    return findings;
  }
}

const pair = (taskId: string, bidderId: string) => `${taskId} ${bidderId}`;

function groupBy<T, V>(
  items: readonly T[],
  keyOf: (item: T) => string,
  pick: (item: T) => V,
): Map<string, V[]> {
  const groups = new Map<string, V[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), pick(item)]);
  return groups;
}
