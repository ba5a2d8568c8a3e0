import type { User } from "../../auth/token-verifier.ts";
import type { SuspensionChange } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";
import { FORMER_MEMBER, formerMemberId } from "../../db/notices.ts";
import { logAct } from "../../db/operators.ts";
import type { Outcome } from "../../db/transaction.ts";

export type SuspensionStore = ReturnType<typeof suspensionStore>;

/** Keeps which accounts are, or were, suspended. */
export function suspensionStore(
  database: Pick<Database, "suspensions" | "people" | "operatorLog" | "hints" | "transaction">,
) {
  const { suspensions, people, hints, transaction } = database;
  return {
    /**
     * Suspends an account or lifts that, and writes it into the operators' log, in one transaction. Also lifted is that of
     * somebody who was deleting their account when it was suspended: at the provider it is still there, and locked.
     */
    set(uid: string, change: SuspensionChange, operator: User, now: Date): Promise<Outcome> {
      const { suspended, reason, text } = change;
      return transaction(async (session): Promise<Outcome> => {
        const person = await people.findOne({ _id: uid }, { session, projection: { name: 1 } });
        const before = await suspensions.findOne({ _id: uid }, { session });
        if (!person && before?.liftedAt !== null) return { refused: "person-not-found" };
        if ((before?.liftedAt === null) === suspended || (!before && !suspended)) return { changed: false };
        const changed = { changedAt: now, pendingSince: now };
        if (suspended && reason) {
          const suspension = { reason, ...(text && { text }), liftedAt: null, ...changed };
          await suspensions.replaceOne({ _id: uid }, suspension, { session, upsert: true });
        } else
          await suspensions.updateOne({ _id: uid }, { $set: { liftedAt: now, ...changed } }, { session });
        const kind = suspended ? "account-suspended" : "suspension-lifted";
        const whom = person ? { uid, name: person.name } : { uid: formerMemberId(), name: FORMER_MEMBER };
        await logAct(database, { kind, reason, text, person: whom }, operator, { session, now });
        return { changed: true };
      });
    },

    find(uid: string): Promise<SuspensionDoc | null> {
      return suspensions.findOne({ _id: uid }, READ_LIMITS);
    },

    /** What changed at or after this instant. */
    findChanged(since: Date): Promise<SuspensionDoc[]> {
      return hints.using("suspensions", "changed", (hint) =>
        suspensions.find({ changedAt: { $gte: since } }, { ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** Those that the person's tasks or the identity provider do not follow yet; all, so that none waits for one that fails. */
    findPending(): Promise<SuspensionDoc[]> {
      const filter = { pendingSince: { $exists: true } };
      return hints.using("suspensions", "pending", (hint) =>
        suspensions.find(filter, { sort: { pendingSince: -1 }, ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** Notes that everything follows, unless it changed again meanwhile. */
    async finish({ _id, changedAt }: SuspensionDoc): Promise<void> {
      await suspensions.updateOne({ _id, changedAt }, { $unset: { pendingSince: true } });
    },

    /** Forgets one of an account that the provider no longer has, if its owner deleted it here too. @returns whether they did. */
    async forgetDeleted({ _id, changedAt }: SuspensionDoc): Promise<boolean> {
      if (await people.findOne({ _id }, { projection: { _id: 1 }, ...READ_LIMITS })) return false;
      await suspensions.deleteOne({ _id, changedAt });
      return true;
    },
  };
}
