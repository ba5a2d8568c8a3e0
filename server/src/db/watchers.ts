import type { ClientSession, ObjectId } from "mongodb";
import type { Collections } from "./collections.ts";
import { READ_LIMITS } from "./mongo.ts";

type Deps = Pick<Collections, "savedTasks">;

/**
 * The people who watch a task, which is who saved it: their uids in order, a batch at a time. To tell them of a decision
 * use `announce`, which reaches bidders and watchers, each once.
 * @param after the last uid of the batch before; empty for the first.
 */
export async function watchersOf(
  { savedTasks }: Deps,
  taskId: ObjectId,
  { after = "", limit }: { after?: string; limit: number },
): Promise<string[]> {
  const found = await savedTasks
    .find(
      { taskId, personId: { $gt: after } },
      { sort: { personId: 1 }, limit, projection: { _id: 0, personId: 1 }, ...READ_LIMITS },
    )
    .toArray();
  return found.map(({ personId }) => personId);
}

/** Does anybody watch the task? */
export async function isWatched(
  { savedTasks }: Deps,
  taskId: ObjectId,
  session: ClientSession,
): Promise<boolean> {
  return (await savedTasks.findOne({ taskId }, { session, projection: { _id: 1 } })) !== null;
}
