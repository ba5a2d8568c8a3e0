import type { AccountAdmin, User } from "../../auth/token-verifier.ts";
import type { SuspensionChange } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";
import { FORMER_MEMBER, formerMemberId } from "../../domain/notify.ts";
import { logAct } from "../../domain/operators.ts";
import { ProblemError } from "../../domain/problem-error.ts";

export type SuspensionStore = ReturnType<typeof suspensionStore>;

/** Stores which accounts are or were suspended. */
export function suspensionStore(database: Database) {
  const { suspensions, people, transaction } = database;
  return {
    /**
     * Suspends an account or lifts its suspension, and adds that to the operators' log, in one transaction. A
     * suspension can also be lifted if the person has deleted their account since: the provider may still have it.
     */
    set(uid: string, change: SuspensionChange, operator: User, now: Date): Promise<boolean> {
      const { suspended, reason, text } = change;
      return transaction(async (session) => {
        const person = await people.findOne({ _id: uid }, { session, projection: { name: 1 } });
        const before = await suspensions.findOne({ _id: uid }, { session });
        if (!person && before?.liftedAt !== null) throw new ProblemError("person-not-found");
        if ((before?.liftedAt === null) === suspended || (!before && !suspended)) return false;
        const changed = { changedAt: now, pendingSince: now };
        if (suspended && reason) {
          const suspension = { reason, text: text || undefined, liftedAt: null, ...changed };
          await suspensions.replaceOne({ _id: uid }, suspension, { session, upsert: true });
        } else
          await suspensions.updateOne({ _id: uid }, { $set: { liftedAt: now, ...changed } }, { session });
        const kind = suspended ? "account-suspended" : "suspension-lifted";
        const subject = person ? { uid, name: person.name } : { uid: formerMemberId(), name: FORMER_MEMBER };
        await logAct(database, { kind, reason, text, person: subject }, operator, { session, now });
        return true;
      });
    },

    find(uid: string): Promise<SuspensionDoc | null> {
      return suspensions.findOne({ _id: uid }, READ_LIMITS);
    },

    /** All suspensions not known to be enforced. Without a limit: those that keep failing must not block the others. */
    findPending(): Promise<SuspensionDoc[]> {
      const filter = { pendingSince: { $exists: true } };
      return suspensions
        .find(filter, { sort: { pendingSince: -1 }, ...READ_LIMITS, hint: "pending" })
        .toArray();
    },

    /** Marks it as enforced, unless it has changed again in the meantime. */
    async finish({ _id, changedAt }: SuspensionDoc): Promise<void> {
      await suspensions.updateOne({ _id, changedAt }, { $unset: { pendingSince: true } });
    },

    /** Deletes the suspension, unless it has changed, if the account exists neither here nor there. @returns whether so. */
    async forgetDeleted(
      { _id, changedAt }: SuspensionDoc,
      accounts: Pick<AccountAdmin, "exists">,
    ): Promise<boolean> {
      if (await people.findOne({ _id }, { projection: { _id: 1 }, ...READ_LIMITS })) return false;
      if (await accounts.exists(_id)) return false;
      await suspensions.deleteOne({ _id, changedAt });
      return true;
    },
  };
}
