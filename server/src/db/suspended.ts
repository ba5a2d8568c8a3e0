import type { Collections } from "./collections.ts";
import { READ_LIMITS } from "./mongo.ts";

/** Those of these people whose account is suspended now. */
export async function suspendedOf(
  { suspensions }: Pick<Collections, "suspensions">,
  uids: readonly string[],
): Promise<Set<string>> {
  const filter = { _id: { $in: [...new Set(uids)] }, liftedAt: null };
  const options = { projection: { _id: 1 }, hint: "_id_", ...READ_LIMITS } as const;
  return new Set((await suspensions.find(filter, options).toArray()).map(({ _id }) => _id));
}
