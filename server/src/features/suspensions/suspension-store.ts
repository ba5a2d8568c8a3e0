import type { AccountAdmin, User } from "../../auth/token-verifier.ts";
import { REPORT_REASON_LABELS, type SuspensionChange } from "../../contract/index.ts";
import type { ChangeFeed } from "../../db/change-feed.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";
import { FORMER_MEMBER, formerMemberId } from "../../db/notices.ts";
import { logAct } from "../../db/operators.ts";
import { refreshOnChange } from "../../db/read-cache.ts";
import type { Outcome } from "../../db/transaction.ts";

export type SuspensionStore = ReturnType<typeof suspensionStore>;

/** Stores which accounts are or were suspended. */
export function suspensionStore(
  database: Pick<Database, "suspensions" | "people" | "operatorLog" | "hints" | "transaction">,
) {
  const { suspensions, people, hints, transaction } = database;
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
          const suspension = { reason, ...(text && { text }), liftedAt: null, ...changed };
          await suspensions.replaceOne({ _id: uid }, suspension, { session, upsert: true });
        } else
          await suspensions.updateOne({ _id: uid }, { $set: { liftedAt: now, ...changed } }, { session });
        const kind = suspended ? "account-suspended" : "suspension-lifted";
        const subject = person ? { uid, name: person.name } : { uid: formerMemberId(), name: FORMER_MEMBER };
        await logAct(database, { kind, reason, text, person: subject }, operator, { session, now });
        return { changed: true };
      });
    },

    find(uid: string): Promise<SuspensionDoc | null> {
      return suspensions.findOne({ _id: uid }, READ_LIMITS);
    },

    /** Suspensions that changed at or after this instant. */
    findChanged(since: Date): Promise<SuspensionDoc[]> {
      return hints.using("suspensions", "changed", (hint) =>
        suspensions.find({ changedAt: { $gte: since } }, { ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** All suspensions not known to be enforced. Without a limit: those that keep failing must not block the others. */
    findPending(): Promise<SuspensionDoc[]> {
      const filter = { pendingSince: { $exists: true } };
      return hints.using("suspensions", "pending", (hint) =>
        suspensions.find(filter, { sort: { pendingSince: -1 }, ...READ_LIMITS, ...hint }).toArray(),
      );
    },

    /** Marks it as enforced, unless it has changed again in the meantime. */
    async finish({ _id, changedAt }: SuspensionDoc): Promise<void> {
      await suspensions.updateOne({ _id, changedAt }, { $unset: { pendingSince: true } });
    },

    /** Deletes the suspension, unless it has changed, if the account exists neither here nor there. @returns whether so. */
    async forgetDeleted({ _id, changedAt }: SuspensionDoc, accounts: AccountAdmin): Promise<boolean> {
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

// Allows for clock skew between instances: one that is ahead by more accepts no tokens, which are valid for an hour.
const OVERLAP_MS = 3_600_000;

/**
 * Tracks the suspensions on all instances, so that an account's requests are refused on any of them. All suspensions in
 * force are kept in memory, because every authenticated request checks them.
 */
export function suspendedAccounts(
  store: Pick<SuspensionStore, "findChanged">,
  changes?: Pick<ChangeFeed, "onChange">,
): SuspendedAccounts {
  const current = new Map<string, string>();
  let latest = OVERLAP_MS;
  /** Whether to read all of them: during a gap in the feed, a restored backup may have replaced them. */
  let needsFullRead = true;
  changes?.onChange((change) => {
    needsFullRead ||= change === undefined;
  });
  function add(suspension: SuspensionDoc): void {
    const { _id, liftedAt, changedAt } = suspension;
    if (liftedAt) current.delete(_id);
    else current.set(_id, explain(suspension));
    latest = Math.max(latest, changedAt.getTime());
  }

  async function read(): Promise<void> {
    const all = needsFullRead;
    needsFullRead = false;
    try {
      // A change dated by a clock that is ahead must not hide later ones.
      const since = Math.min(latest, Date.now()) - OVERLAP_MS;
      const found = await store.findChanged(new Date(all ? 0 : since));
      if (all) current.clear();
      for (const suspension of found) add(suspension);
    } catch (error) {
      needsFullRead ||= all;
      throw error;
    }
  }
  const refresh = refreshOnChange("suspensions", changes, read);
  return {
    add,
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
  const quote = text ? ` “${text}”` : "";
  return `An operator has suspended your account: ${REPORT_REASON_LABELS[reason]}.${quote} Contact us if you think this is a mistake.`;
}
