import type { ClientSession, ObjectId } from "mongodb";
import type { Collections } from "./collections.ts";

/**
 * Removes what hangs on a task, in the transaction that deletes the task. Its bids go afterwards, once their freelancers
 * were told (`announce`).
 */
export async function removeWithTask(
  { questions, timeline }: Pick<Collections, "questions" | "timeline">,
  taskId: ObjectId,
  session: ClientSession,
): Promise<void> {
  await questions.deleteMany({ taskId }, { session });
  await timeline.deleteMany({ taskId }, { session });
}
