import { type ClientSession, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { mayAct, taskState } from "../../contract/index.ts";
import { type Database, NEWEST_FIRST, READ_LIMITS } from "../../db/client.ts";
import type { AgreementDoc } from "../../db/documents/agreements.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { requireSide, type Side } from "../../domain/task-conditions.ts";
import { AGREEMENT_TASK, type AgreementTask } from "./rules.ts";

type Award = {
  task: Pick<TaskDoc, "_id" | "title" | "description" | "ownerId">;
  award: AwardDoc & { due: string };
  bid: Pick<BidDoc, "message" | "question" | "answer">;
  client: User;
};

/** Stores what an award makes the two agree on, in its transaction. */
export async function insertAgreement(
  { agreements }: Pick<Database, "agreements">,
  { task, award, bid, client }: Award,
  { session, now }: { session: ClientSession; now: Date },
): Promise<void> {
  const { message, question, answer } = bid;
  const doc: AgreementDoc = {
    ...{ _id: new ObjectId(), taskId: task._id, clientId: task.ownerId, clientName: client.name },
    ...{ freelancerId: award.freelancerId, freelancerName: award.name },
    ...{ title: task.title, description: task.description, message, question, answer },
    versions: [{ amount: award.amount, due: award.due, scope: "", at: now }],
    createdAt: now,
  };
  await agreements.insertOne(doc, { session });
}

/** Finds agreements. */
export function agreementStore({ tasks, agreements }: Pick<Database, "tasks" | "agreements">) {
  /** The caller's latest agreement on this task. */
  function latest(taskId: ObjectId, side: Side, uid: string, session?: ClientSession) {
    const filter = { taskId, [`${side}Id`]: uid };
    return agreements.findOne(filter, { sort: NEWEST_FIRST, ...(session ? { session } : READ_LIMITS) });
  }

  return {
    latest,

    /**
     * One side's agreement, and whether it can still change.
     * @throws {ProblemError} `task-not-found`, `not-a-side` or `no-agreement`.
     */
    async read(
      id: string,
      caller: User,
      now: Date,
    ): Promise<{ agreement: AgreementDoc; mayChange: boolean }> {
      const taskId = new ObjectId(id);
      const options = { projection: AGREEMENT_TASK, ...READ_LIMITS };
      const task = await tasks.findOne<AgreementTask>({ _id: taskId }, options);
      const side = requireSide(task, caller);
      const agreement = await latest(taskId, side, caller.uid);
      if (!task || !agreement) throw new ProblemError("no-agreement");
      const role = side === "client" ? "client" : "hired";
      return { agreement, mayChange: mayAct("change-agreement", role, taskState(task, now)) };
    },
  };
}
