import { ObjectId } from "mongodb";
import type { Context } from "../../context.ts";
import { disputeEndpoints } from "../../contract/dispute.ts";
import { NEWEST_FIRST, READ_LIMITS } from "../../db/client.ts";
import { requireSide } from "../../domain/task-conditions.ts";
import type { Api } from "../../http/mount.ts";
import { updated } from "../../http/problem.ts";
import { presentAgreement } from "../agreements/rules.ts";
import { disputeCommands } from "./commands.ts";
import { DISPUTE_TASK, type DisputeTask, ofAward, presentDispute } from "./rules.ts";

/** Ending a task early, by agreement or by an operator's decision. */
export function disputeRoutes(api: Api, { database }: Context): void {
  const commands = disputeCommands(database);
  const { tasks, disputes, agreements } = database;

  api.mount(disputeEndpoints.readDispute, async ({ params, user }) => {
    const taskId = new ObjectId(params.id);
    const task = await tasks.findOne<DisputeTask>(
      { _id: taskId },
      { projection: DISPUTE_TASK, ...READ_LIMITS },
    );
    if (!task || !user.isOperator) requireSide(task, user);
    const newest = { sort: NEWEST_FIRST, ...READ_LIMITS };
    const dispute = task?.award && (await disputes.findOne(ofAward(task), newest));
    if (!dispute) return {};
    const agreement = user.isOperator ? await agreements.findOne({ taskId }, newest) : null;
    return { dispute: presentDispute(dispute, agreement ? presentAgreement(agreement, true) : undefined) };
  });

  api.mount(disputeEndpoints.proposeEnding, async ({ params, body, user, now }) =>
    updated(await commands.propose(params.id, user, body, now)),
  );

  api.mount(disputeEndpoints.answerEnding, async ({ params, body, user, now }) =>
    updated(await commands.answer(params.id, user, body.accepted, now)),
  );

  api.mount(disputeEndpoints.stateCase, async ({ params, body, user, now }) =>
    updated(await commands.state(params.id, user, body, now)),
  );

  api.mount(disputeEndpoints.decideDispute, async ({ params, body, user, now }) =>
    updated(await commands.decide(params.id, user, body, now)),
  );

  api.mount(disputeEndpoints.appeal, async ({ params, body, user, now }) =>
    updated(await commands.appeal(params.id, user, body.reason, now)),
  );
}
