import type { AccountAdmin, User } from "../../auth/token-verifier.ts";
import type { SuspensionChange } from "../../contract/index.ts";
import type { ChangeFeed } from "../../db/change-feed.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";
import { FORMER_MEMBER, formerMemberId } from "../../db/notices.ts";
import { logAct, reasonInWords } from "../../db/operators.ts";
import { refreshOnChange } from "../../db/read-cache.ts";
import { type Outcome, outcomeOf } from "../../db/transaction.ts";

export type SuspensionStore = ReturnType<typeof suspensionStore>;

/** Stores which accounts are or were suspended. */
export function suspensionStore(database: Database) {
  const { suspensions, people, transaction } = database;
  return {
    /**
     * Suspends an account or lifts its suspension, and adds that to the operators' log, in one transaction. A
     * suspension can also be lifted if the person has deleted their account since: the provider may still have it.
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
          const suspension = { reason, text: text || undefined, liftedAt: null, ...changed };
          await suspensions.replaceOne({ _id: uid }, suspension, { session, upsert: true });
        } else
          await suspensions.updateOne({ _id: uid }, { $set: { liftedAt: now, ...changed } }, { session });
        const kind = suspended ? "account-suspended" : "suspension-lifted";
        const subject = person ? { uid, name: person.name } : { uid: formerMemberId(), name: FORMER_MEMBER };
        await logAct(database, { kind, reason, text, person: subject }, operator, { session, now });
        return { changed: true };
      }).catch(outcomeOf);
    },

    find(uid: string): Promise<SuspensionDoc | null> {
      return suspensions.findOne({ _id: uid }, READ_LIMITS);
    },

    /** All suspensions in force. */
    findInForce(): Promise<SuspensionDoc[]> {
      return suspensions.find({ liftedAt: null }, { ...READ_LIMITS, hint: "in-force" }).toArray();
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

/** The suspended accounts, as far as this instance knows. */
export type SuspendedAccounts = {
  /** Adds a suspension just set, or removes one just lifted, on this instance. */
  add(suspension: SuspensionDoc): void;
  has(uid: string): Promise<boolean>;
  /** The explanation for the owner of a suspended account; undefined for every other account. */
  why(uid: string): Promise<string | undefined>;
};

/**
 * Tracks the suspensions on all instances, so that an account's requests are refused on any of them. Every authenticated
 * request checks them, so all in force are kept in memory; they are read as a whole, because instances' clocks differ.
 */
export function suspendedAccounts(
  store: Pick<SuspensionStore, "findInForce">,
  changes?: Pick<ChangeFeed, "onChange">,
): SuspendedAccounts {
  let current = new Map<string, string>();
  // Changes on this instance since the last read began, which may not have seen them.
  let own: SuspensionDoc[] = [];
  function apply(suspension: SuspensionDoc): void {
    if (suspension.liftedAt) current.delete(suspension._id);
    else current.set(suspension._id, explain(suspension));
  }
  const refresh = refreshOnChange("suspensions", changes, async () => {
    own = [];
    const found = await store.findInForce();
    current = new Map();
    for (const suspension of [...found, ...own]) apply(suspension);
  });
  return {
    add(suspension) {
      own.push(suspension);
      apply(suspension);
    },
    async has(uid) {
      await refresh();
      return current.has(uid);
    },
    async why(uid) {
      await refresh();
      return current.get(uid);
    },
  };
}

function explain({ reason, text }: Pick<SuspensionDoc, "reason" | "text">): string {
  return `An operator has suspended your account: ${reasonInWords(reason, text)} Contact us if you think this is a mistake.`;
}
