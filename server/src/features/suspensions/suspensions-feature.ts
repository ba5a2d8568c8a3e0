import type { Logger } from "pino";
import { operatorEndpoints } from "../../contract/endpoints/operators.ts";
import { runDetached } from "../../db/transaction.ts";
import type { Api } from "../../http/mount.ts";
import { updateResponse } from "../../http/problem.ts";
import type { Enforcer } from "./enforce-suspensions.ts";
import type { SuspensionStore } from "./suspension-store.ts";

type Deps = {
  store: SuspensionStore;
  enforcer: Pick<Enforcer, "enforce">;
  log: Pick<Logger, "warn">;
};

/** Lets operators suspend accounts and lift suspensions. */
export function suspensionsFeature(api: Api, { store, enforcer, log }: Deps): void {
  api.mount(operatorEndpoints.setSuspension, async ({ params: { id }, body, user, now }) => {
    const response = updateResponse(await store.set(id, body, user, now));
    const suspension = await store.find(id);
    if (!suspension) return response;
    // The decision is stored; if enforcing it fails here, the periodic job does it.
    const enforcing = runDetached(() => enforcer.enforce(suspension, now));
    await enforcing.catch((error: unknown) => log.warn({ err: error }, "a suspension waits to be enforced"));
    return response;
  });
}
