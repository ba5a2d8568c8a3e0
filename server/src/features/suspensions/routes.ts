import type { Context } from "../../context.ts";
import { operatorEndpoints } from "../../contract/operator.ts";
import { runDetached } from "../../db/transaction.ts";
import { FORMER_MEMBER, formerMemberId } from "../../domain/notify.ts";
import { logAct } from "../../domain/operators.ts";
import { personIn } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { suspensionEnforcer } from "./enforce-suspensions.ts";

/** Lets operators suspend accounts and lift suspensions. */
export function suspensionRoutes(api: Api, { database, accounts, logger }: Context): void {
  const { suspensions, transaction } = database;
  const { enforce } = suspensionEnforcer(database, accounts);

  api.mount(operatorEndpoints, {
    // A suspension can also be lifted if the person has deleted their account since: the provider may still have it.
    setSuspension: async ({ params: { id: _id }, body, user, now }) => {
      const { suspended, reason, text } = body;
      const changed = await transaction(async () => {
        const person = await personIn(database, _id);
        const before = await suspensions.findOne({ _id });
        if (!person && before?.liftedAt !== null) throw new ProblemError("person-not-found");
        if ((before?.liftedAt === null) === suspended || (!before && !suspended)) return false;
        const change = { changedAt: now, pendingSince: now };
        if (suspended && reason) {
          const suspension = { reason, text: text || undefined, liftedAt: null, ...change };
          await suspensions.replaceOne({ _id }, suspension, { upsert: true });
        } else await suspensions.updateOne({ _id }, { $set: { liftedAt: now, ...change } });
        const kind = suspended ? "account-suspended" : "suspension-lifted";
        const subject = person ?? { uid: formerMemberId(), name: FORMER_MEMBER };
        await logAct(database, { kind, reason, text, person: subject }, user, now);
        return true;
      });
      const suspension = await suspensions.findOne({ _id });
      // The decision is stored; if enforcing it fails here, the periodic job does it.
      if (suspension)
        await runDetached(() => enforce(suspension, now)).catch((error: unknown) =>
          logger.warn({ err: error }, "a suspension waits to be enforced"),
        );
      return changed;
    },
  });
}
