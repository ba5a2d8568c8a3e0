import type { AccountAdmin } from "../../auth/token-verifier.ts";
import { type Database, drainBatches, READ_LIMITS } from "../../db/client.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";
import type { SuspensionStore } from "./suspension-store.ts";

type Deps = {
  database: Pick<Database, "tasks" | "hints">;
  store: Pick<SuspensionStore, "findPending" | "finish" | "forgetDeleted">;
  /** Without it the provider still lets the person log in; what they ask for is refused all the same. */
  accounts: AccountAdmin | undefined;
};

const BATCH = 100;
/** A request that began on another instance before it knew may still post a task. */
const SETTLING_MS = 20_000;

export type Enforcer = ReturnType<typeof suspensionEnforcer>;

/**
 * Makes the rest of the product follow a suspension: locks or unlocks the account at the identity provider, and hides the
 * person's open tasks or shows them again. What an operator hid for its own sake stays hidden, and what they showed in spite
 * of it stays there. Each step may be done twice, so whatever broke off is simply done again, by any instance.
 *
 * Somebody may be deleting their account meanwhile. Where the provider still had it, it is locked there and the suspension
 * goes on, so nobody comes back by deleting; where it was gone already, nobody can come back, and the suspension goes too.
 */
export function suspensionEnforcer({ database, store, accounts }: Deps) {
  const { tasks, hints } = database;

  async function setHidden(ownerId: string, hidden: boolean): Promise<void> {
    const filter = hidden
      ? ({ ownerId, state: "open", hidden: false, suspended: { $ne: false } } as const)
      : { ownerId, hidden: true, suspended: true };
    const update = hidden
      ? ({ $set: { hidden: true, suspended: true } } as const)
      : ({ $set: { hidden: false }, $unset: { suspended: true } } as const);
    const options = { projection: { _id: 1 }, limit: BATCH, ...READ_LIMITS };
    await drainBatches(
      () =>
        hints.using("tasks", "owner-states", (hint) => tasks.find(filter, { ...options, ...hint }).toArray()),
      (batch) => tasks.updateMany({ _id: { $in: batch.map(({ _id }) => _id) }, ...filter }, update),
    );
    // The next suspension hides those again that an operator showed in spite of this one.
    if (!hidden) await tasks.updateMany({ ownerId, suspended: false }, { $unset: { suspended: true } });
  }

  async function enforce(suspension: SuspensionDoc, began: Date): Promise<void> {
    const { _id, liftedAt, changedAt } = suspension;
    const suspended = liftedAt === null;
    await setHidden(_id, suspended);
    const isThere = await accounts?.setLocked(_id, suspended);
    if (isThere === false && (await store.forgetDeleted(suspension))) return;
    if (began.getTime() >= changedAt.getTime() + SETTLING_MS) await store.finish(suspension);
  }

  return {
    /** Enforces one as far as that is possible now. */
    enforce,

    /** Enforces all that is not certain to be. To be called again and again. */
    async pending(now: Date): Promise<void> {
      const failures: unknown[] = [];
      for (const suspension of await store.findPending())
        await enforce(suspension, now).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, "some suspensions are not enforced yet");
    },
  };
}
