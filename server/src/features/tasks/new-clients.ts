import { LRUCache } from "lru-cache";
import { FIRST_TASKS } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";

/** So many clients an instance knows to have posted enough. */
const MAX_SETTLED = 10_000;

/**
 * Answers whether a client has posted so few tasks that operators look at the next one. Whoever has posted enough is not
 * counted again.
 */
export function newClients({ tasks, hints }: Pick<Database, "tasks" | "hints">) {
  const settled = new LRUCache<string, true>({ max: MAX_SETTLED });

  return async (ownerId: string): Promise<boolean> => {
    if (settled.has(ownerId)) return false;
    const options = { limit: FIRST_TASKS, ...READ_LIMITS };
    const posted = await hints.using("tasks", "owner-newest", (hint) =>
      tasks.countDocuments({ ownerId }, { ...options, ...hint }),
    );
    if (posted < FIRST_TASKS) return true;
    settled.set(ownerId, true);
    return false;
  };
}
