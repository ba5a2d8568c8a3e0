import type { Filter } from "mongodb";
import type { Database } from "../db/client.ts";
import type { TaskDoc } from "../db/documents/tasks.ts";
import { announce } from "./announcements.ts";
import { releaseFiles } from "./files.ts";
import type { At, Notice } from "./notify.ts";

/**
 * Deletes the task that matches the filter if it was never awarded. Its bids are hidden immediately; the announcer
 * notifies the bidders and then removes them.
 * @returns whether a task matches.
 */
export async function deleteTask(
  database: Database,
  filter: Filter<TaskDoc>,
  actor: Notice["actor"],
  at: At,
): Promise<boolean> {
  const { session } = at;
  // Every bid also writes its task, so a concurrent bid collides here instead of being left behind.
  const task = await database.tasks.findOneAndDelete({ ...filter, awardCount: 0 }, { session });
  if (!task) return false;
  const taskId = task._id;
  await database.questions.deleteMany({ taskId }, { session });
  await database.timeline.deleteMany({ taskId }, { session });
  // Conversations stay.
  await releaseFiles(database, { "place.taskId": taskId, "place.kind": { $ne: "message" } }, at);
  await announce(database, { kind: "task-deleted", task, actor, removesBids: true }, at);
  return true;
}
