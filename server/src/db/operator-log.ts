import { type ClientSession, ObjectId } from "mongodb";
import type { Collections } from "./collections.ts";
import type { OperatorActDoc } from "./documents/operators.ts";

/** What an operator did. `person` is whom it concerns, `task` what. */
type Act = Pick<OperatorActDoc, "kind" | "reason" | "text"> & {
  person?: { uid: string; name: string } | undefined;
  task?: { _id: ObjectId; title: string } | undefined;
};

/** Writes an operator's act into the log, in the transaction of the act itself: there is never one without the other. */
export async function logAct(
  { operatorLog }: Pick<Collections, "operatorLog">,
  { kind, person, task, reason, text }: Act,
  operator: { uid: string; name: string },
  { session, now }: { session: ClientSession; now: Date },
): Promise<void> {
  const act: OperatorActDoc = {
    _id: new ObjectId(),
    kind,
    operatorId: operator.uid,
    operatorName: operator.name,
    ...(person && { personId: person.uid, personName: person.name }),
    ...(task && { taskId: task._id, taskTitle: task.title }),
    ...(reason && { reason }),
    ...(text && { text }),
    createdAt: now,
  };
  await operatorLog.insertOne(act, { session });
}
