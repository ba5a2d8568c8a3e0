import type { User } from "../../auth/token-verifier.ts";
import { taskState } from "../../contract/index.ts";
import { bidState } from "../../db/bid-state.ts";
import type { BidDoc } from "../../db/collections.ts";
import { titleFor } from "../../db/hidden-tasks.ts";
import { type Columns, csvOf } from "./csv.ts";
import { type BidTask, grouped, type OwnDataStore, type OwnTask } from "./own-data-store.ts";

/** The caller's tasks as CSV, newest first. Money in USD, instants in ISO 8601 (UTC). */
export function tasksAsCsv(store: OwnDataStore, caller: User, now: Date): AsyncIterable<string> {
  const columns: Columns<OwnTask> = [
    ["Title", ({ title }) => title],
    ["Category", ({ category }) => category],
    ["State", (task) => stateOf(task, now)],
    ["Deadline", ({ deadline }) => deadline],
    ["Budget (USD)", ({ budget }) => budget],
    ["Bids", ({ bidsCount }) => bidsCount],
    ["Awarded to", ({ award }) => award?.name],
    ["Awarded (USD)", ({ award }) => award?.amount],
    ["Posted", ({ createdAt }) => createdAt.toISOString()],
    ["Description", ({ description }) => description],
  ];
  return csvOf(columns, grouped(store.tasks(caller.uid)));
}

/** The caller's bids with what they are for as CSV, newest first; units as in {@link tasksAsCsv}. */
export function bidsAsCsv(store: OwnDataStore, caller: User, now: Date): AsyncIterable<string> {
  const columns: Columns<{ bid: BidDoc; task: BidTask }> = [
    ["Task", ({ task }) => titleFor(task, caller.uid)],
    ["Category", ({ task }) => task.category],
    ["Client", ({ task }) => task.name],
    ["Task state", ({ task }) => stateOf(task, now)],
    ["Deadline", ({ task }) => task.deadline],
    ["Budget (USD)", ({ task }) => task.budget],
    ["My bid (USD)", ({ bid, task }) => bid.amount ?? task.budget],
    ["Days", ({ bid }) => bid.days],
    ["Bid state", ({ bid, task }) => bidState(bid, task)],
    ["Placed", ({ bid }) => bid.createdAt.toISOString()],
    ["Changed", ({ bid }) => bid.updatedAt?.toISOString()],
    ["Message", ({ bid }) => bid.message],
  ];
  return csvOf(columns, store.bidGroups(caller.uid));
}

function stateOf({ state = "open", deadline }: Pick<BidTask, "state" | "deadline">, now: Date): string {
  return taskState({ state, deadline }, now);
}
