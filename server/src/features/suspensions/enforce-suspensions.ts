import type { AccountAdmin } from "../../auth/token-verifier.ts";
import { type Database, drainBatches } from "../../db/client.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";

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
 * @param accounts without it, the suspension of an account that was deleted at the same time stays.
 */
export function suspensionEnforcer(
  { tasks, people, suspensions }: Database,
  accounts: Pick<AccountAdmin, "exists"> | undefined,
) {
  async function setHidden(ownerId: string, hidden: boolean, updatedAt: Date): Promise<void> {
    const filter = hidden
      ? ({ ownerId, state: "open", hidden: false, suspended: { $ne: false } } as const)
      : { ownerId, hidden: true, suspended: true };
    const update = hidden
      ? ({ $set: { hidden: true, suspended: true, updatedAt } } as const)
      : ({ $set: { hidden: false, updatedAt }, $unset: { suspended: true } } as const);
    await drainBatches(
      () => tasks.find(filter, { projection: { _id: 1 }, limit: BATCH }).toArray(),
      (batch) => tasks.updateMany({ _id: { $in: batch.map(({ _id }) => _id) }, ...filter }, update),
    );
    // A task that an operator showed despite this suspension is hidden again by the next one.
    if (!hidden) await tasks.updateMany({ ownerId, suspended: false }, { $unset: { suspended: true } });
  }

  async function enforce(suspension: SuspensionDoc, began: Date): Promise<void> {
    const { _id, liftedAt, changedAt } = suspension;
    await setHidden(_id, liftedAt === null, began);
    // Unless it has changed again in the meantime.
    const unchanged = { _id, changedAt };
    if (accounts && (await isDeleted(_id, accounts))) await suspensions.deleteOne(unchanged);
    else if (began.getTime() >= changedAt.getTime() + SETTLING_MS)
      await suspensions.updateOne(unchanged, { $unset: { pendingSince: true } });
  }

  /** Does the account exist neither here nor at the provider? */
  async function isDeleted(_id: string, provider: Pick<AccountAdmin, "exists">): Promise<boolean> {
    const person = await people.findOne({ _id }, { projection: { _id: 1 } });
    return !person && !(await provider.exists(_id));
  }

  return {
    /** Enforces one suspension as far as possible now. */
    enforce,

    /** Enforces all suspensions that are not known to be enforced. To be called periodically. */
    async pending(now: Date): Promise<void> {
      const failures: unknown[] = [];
      const pending = suspensions.find({ pendingSince: { $exists: true } }, { sort: { pendingSince: -1 } });
      // Without a limit: those that keep failing must not block the others.
      for (const { _id } of await pending.toArray())
        try {
          // Read again: another instance may have lifted and finished it while earlier ones were enforced slowly.
          const current = await suspensions.findOne({ _id });
          if (current?.pendingSince) await enforce(current, now);
        } catch (error) {
          failures.push(error);
        }
      if (failures.length > 0) throw new AggregateError(failures, "some suspensions are not enforced yet");
    },
  };
}
