import type { Context } from "../../context.ts";
import { disputeEndpoints } from "../../contract/dispute.ts";
import { mayAct, taskState } from "../../contract/index.ts";
import { NEWEST_FIRST } from "../../db/client.ts";
import { filesOn } from "../../domain/files.ts";
import { requireSide } from "../../domain/task-conditions.ts";
import type { Api } from "../../http/mount.ts";
import { mayChange, presentAgreement } from "../agreements/rules.ts";
import { disputeCommands } from "./commands.ts";
import { acceptedSum, mayDecide, ofAward, presentDispute } from "./rules.ts";

/** Ending a task early, by agreement or by an operator's decision. */
export function disputeRoutes(api: Api, { database }: Context): void {
  const commands = disputeCommands(database);
  const { tasks, disputes, agreements } = database;

  api.mount(disputeEndpoints, {
    readDispute: async ({ params, user, now }) => {
      const taskId = params.id;
      const task = await tasks.findOne({ _id: taskId });
      if (!task || !user.isOperator) requireSide(task, user);
      const newest = { sort: NEWEST_FIRST };
      const { award } = task ?? {};
      const dispute = task && award && (await disputes.findOne(ofAward(task), newest));
      // One that was open when the task was completed or cancelled in the usual way is void.
      const isOver = dispute?.state === "ended";
      if (!dispute || (!isOver && !mayAct("end-early", "client", taskState(task, now)))) return {};
      const [files, agreement] = await Promise.all([
        filesOn(database, dispute.messages ?? []),
        user.isOperator ? agreements.findOne({ taskId }, newest) : null,
      ]);
      return {
        dispute: presentDispute(dispute, award, {
          files,
          agreement: agreement ? presentAgreement(agreement, mayChange(task, now)) : undefined,
          ...(user.isOperator && {
            owed: acceptedSum(award),
            mayDecide: mayDecide(dispute, user.uid),
          }),
        }),
      };
    },

    proposeEnding: ({ params, body, user, now }) => commands.propose(params.id, user, body, now),

    answerEnding: ({ params, body, user, now }) => commands.answer(params.id, user, body, now),

    stateCase: ({ params, body, user, now }) => commands.state(params.id, user, body, now),

    decideDispute: ({ params, body, user, now }) => commands.decide(params.id, user, body, now),

    appeal: ({ params, body, user, now }) => commands.appeal(params.id, user, body.reason, now),
  });
}
