import type { Announcer } from "../../db/announcer.ts";
import type { Database } from "../../db/client.ts";
import { type EraseStore, eraseStore } from "./erase-store.ts";
import { type LeaveBidsStore, leaveBidsStore } from "./leave-bids-store.ts";
import { type LeaveTasksStore, leaveTasksStore } from "./leave-tasks-store.ts";

/** All that somebody is taken out of. */
export type Erasing = { tasks: LeaveTasksStore; bids: LeaveBidsStore; traces: EraseStore };

/** The stores that a deletion goes through. */
export function erasing(database: Database, announcer: Pick<Announcer, "nudge">): Erasing {
  return {
    tasks: leaveTasksStore(database, announcer),
    bids: leaveBidsStore(database),
    traces: eraseStore(database),
  };
}
