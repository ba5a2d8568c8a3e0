import type { Filter } from "mongodb";
import type { Database } from "../db/client.ts";
import type { TaskDoc } from "../db/documents/tasks.ts";
import { announce } from "./announcements.ts";
import { releaseFiles } from "./files.ts";
import type { Notice } from "./notify.ts";

/**
 * Deletes the task that matches the filter if it was never awarded. Its bids are hidden immediately; the announcer
 * notifies the bidders and then removes them.
 * @returns whether a task matches.
 */
export async function deleteTask(
  database: Database,
  filter: Filter<TaskDoc>,
  actor: Notice["actor"],
  now: Date,
): Promise<boolean> {
  // Every bid also writes its task, so a concurrent bid collides here instead of being left behind.
  const task = await database.tasks.findOneAndDelete({ ...filter, awardCount: 0 });
  if (!task) return false;
  const taskId = task._id;
  await database.questions.deleteMany({ taskId });
  await database.timeline.deleteMany({ taskId });
  // Conversations stay, with its last title.
  await database.conversations.updateMany({ taskId }, { $set: { taskTitle: task.title } });
  await releaseFiles(database, { "place.taskId": taskId, "place.kind": { $ne: "message" } }, now);
  await announce(database, { kind: "task-deleted", task, actor, removesBids: true }, now);
  return true;
}
