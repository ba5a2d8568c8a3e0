import { ObjectId } from "mongodb";
import { type TaskEvent, taskState } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { TaskSides } from "../../db/hidden-tasks.ts";
import { READ_LIMITS } from "../../db/mongo.ts";

/** A task as those who follow it are told of it; `hidden` and its sides say who may be. */
export type LiveTask = TaskSides & { hidden: boolean; event: TaskEvent };

/** Reads a task for those who follow it; null if it is gone. */
export function liveTaskReader({ tasks }: Pick<Database, "tasks">, now: () => Date) {
  return async (id: string): Promise<LiveTask | null> => {
    const task = await tasks.findOne({ _id: new ObjectId(id) }, { projection: FIELDS, ...READ_LIMITS });
    if (!task) return null;
    const { ownerId, award, hidden, bidsCount, bidsRevision, state, deadline, revision } = task;
    return {
      ownerId,
      ...(award && { award }),
      hidden,
      event: {
        taskId: id,
        bidsCount,
        bidsRevision,
        state: taskState({ state, deadline }, now()),
        version: revision,
      },
    };
  };
}

const FIELDS = {
  ownerId: 1,
  "award.freelancerId": 1,
  hidden: 1,
  bidsCount: 1,
  bidsRevision: 1,
  state: 1,
  deadline: 1,
  revision: 1,
} as const;
