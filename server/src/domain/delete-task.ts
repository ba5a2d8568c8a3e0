import type { ClientSession, Filter } from "mongodb";
import type { Database } from "../db/client.ts";
import type { TaskDoc } from "../db/documents/tasks.ts";
import { announce } from "./announcements.ts";
import { releaseFiles } from "./files.ts";
import type { Notice } from "./notify.ts";

/**
 * Deletes the task that matches the filter if it was never awarded. Its bids are hidden immediately; the announcer
 * notifies the bidders and then removes them.
 * @returns undefined if no task matches, otherwise whether there is anybody to notify.
 */
export async function deleteTask(
  database: Database,
  filter: Filter<TaskDoc>,
  to: { actor?: Notice["actor"]; session: ClientSession; now: Date },
): Promise<boolean | undefined> {
  const { actor, session, now } = to;
  const projection = { title: 1, revision: 1, hidden: 1, bidsCount: 1 } as const;
  // Every bid also writes its task, so a concurrent bid collides here instead of being left behind.
  const task = await database.tasks.findOneAndDelete({ ...filter, awardCount: 0 }, { session, projection });
  if (!task) return undefined;
  const taskId = task._id;
  await database.questions.deleteMany({ taskId }, { session });
  await database.timeline.deleteMany({ taskId }, { session });
  // Conversations stay.
  await releaseFiles(
    database,
    { "place.taskId": taskId, "place.kind": { $ne: "message" } },
    { session, now },
  );
  return announce(database, { kind: "task-deleted", task, actor, removesBids: true }, to);
}
