import type { AccountAdmin } from "../../auth/token-verifier.ts";
import { type Database, drainBatches, READ_LIMITS } from "../../db/client.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";
import type { SuspensionStore } from "./store.ts";

type Deps = {
  database: Database;
  store: Pick<SuspensionStore, "find" | "findPending" | "finish" | "forgetDeleted">;
  /** Without it, the suspension of an account that was deleted at the same time stays. */
  accounts: Pick<AccountAdmin, "exists"> | undefined;
};

const BATCH = 100;
/** Until then, a request on an instance that did not know of the suspension may still post a task. */
const SETTLING_MS = 20_000;

/**
 * Carries out a suspension or its end: hides the person's open tasks or shows them again. Tasks that an operator hid or
 * showed individually stay as they are. Every step can be repeated, so any instance can finish what was interrupted.
 *
 * The person can still log in at the identity provider, because only then can they be told why all their requests are
 * refused. They may delete their account at the same time. If the provider still has it, the suspension stays, so
 * deleting is no way around it; if not, they cannot log in anyway, and the suspension is deleted.
 */
export function suspensionEnforcer({ database, store, accounts }: Deps) {
  const { tasks } = database;

  async function setHidden(ownerId: string, hidden: boolean): Promise<void> {
    const filter = hidden
      ? ({ ownerId, state: "open", hidden: false, suspended: { $ne: false } } as const)
      : { ownerId, hidden: true, suspended: true };
    const update = hidden
      ? ({ $set: { hidden: true, suspended: true } } as const)
      : ({ $set: { hidden: false }, $unset: { suspended: true } } as const);
    const options = { projection: { _id: 1 }, limit: BATCH, ...READ_LIMITS };
    await drainBatches(
      () => tasks.find(filter, { ...options, hint: "owner-states" }).toArray(),
      (batch) => tasks.updateMany({ _id: { $in: batch.map(({ _id }) => _id) }, ...filter }, update),
    );
    // A task that an operator showed despite this suspension is hidden again by the next one.
    if (!hidden) await tasks.updateMany({ ownerId, suspended: false }, { $unset: { suspended: true } });
  }

  async function enforce(suspension: SuspensionDoc, began: Date): Promise<void> {
    const { _id, liftedAt, changedAt } = suspension;
    await setHidden(_id, liftedAt === null);
    if (accounts && (await store.forgetDeleted(suspension, accounts))) return;
    if (began.getTime() >= changedAt.getTime() + SETTLING_MS) await store.finish(suspension);
  }

  return {
    /** Enforces one suspension as far as possible now. */
    enforce,

    /** Enforces all suspensions that are not known to be enforced. To be called periodically. */
    async pending(now: Date): Promise<void> {
      const failures: unknown[] = [];
      for (const { _id } of await store.findPending())
        try {
          // Read again: another instance may have lifted and finished it while earlier ones were enforced slowly.
          const current = await store.find(_id);
          if (current?.pendingSince) await enforce(current, now);
        } catch (error) {
          failures.push(error);
        }
      if (failures.length > 0) throw new AggregateError(failures, "some suspensions are not enforced yet");
    },
  };
}
