import type { Context } from "../../context.ts";
import { operatorEndpoints } from "../../contract/operator.ts";
import { runDetached } from "../../db/transaction.ts";
import type { Api } from "../../http/mount.ts";
import { updated } from "../../http/problem.ts";
import { suspensionEnforcer } from "./enforce-suspensions.ts";
import { suspensionStore } from "./store.ts";

/** Lets operators suspend accounts and lift suspensions. */
export function suspensionRoutes(api: Api, { database, accounts, logger }: Context): void {
  const store = suspensionStore(database);
  const enforcer = suspensionEnforcer({ database, store, accounts });

  api.mount(operatorEndpoints.setSuspension, async ({ params: { id }, body, user, now }) => {
    const response = updated(await store.set(id, body, user, now));
    const suspension = await store.find(id);
    if (!suspension) return response;
    // The decision is stored; if enforcing it fails here, the periodic job does it.
    const enforcing = runDetached(() => enforcer.enforce(suspension, now));
    await enforcing.catch((error: unknown) =>
      logger.warn({ err: error }, "a suspension waits to be enforced"),
    );
    return response;
  });
}
