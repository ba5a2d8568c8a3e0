import { REPORT_REASON_LABELS } from "../../contract/index.ts";
import type { ChangeFeed } from "../../db/change-feed.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";
import { refreshOnChange } from "../../db/read-cache.ts";
import type { SuspensionStore } from "./suspension-store.ts";

/** Which accounts are suspended, as this instance knows. */
export type SuspendedAccounts = {
  /** Takes in what was just decided here. */
  add(suspension: SuspensionDoc): void;
  has(uid: string): Promise<boolean>;
  /** What the owner of a suspended account is told; undefined for every other account. */
  why(uid: string): Promise<string | undefined>;
};

// Clocks of instances differ.
const OVERLAP_MS = 60_000;

/**
 * Follows the suspensions of all instances, so that an account's requests are refused wherever they arrive. All that are
 * in force are kept in memory: every request of somebody signed in asks.
 */
export function suspendedAccounts(
  store: Pick<SuspensionStore, "findChanged">,
  changes?: Pick<ChangeFeed, "onChange">,
): SuspendedAccounts {
  const current = new Map<string, string>();
  let latest = OVERLAP_MS;
  /** Is all to be read? After a gap in the feed a restored backup may have taken the place of what was there. */
  let isAnew = true;
  changes?.onChange((change) => {
    isAnew ||= change === undefined;
  });
  function add(suspension: SuspensionDoc): void {
    const { _id, liftedAt, changedAt } = suspension;
    if (liftedAt) current.delete(_id);
    else current.set(_id, explain(suspension));
    latest = Math.max(latest, changedAt.getTime());
  }

  async function read(): Promise<void> {
    const all = isAnew;
    isAnew = false;
    try {
      const found = await store.findChanged(new Date(all ? 0 : latest - OVERLAP_MS));
      if (all) current.clear();
      for (const suspension of found) add(suspension);
    } catch (error) {
      isAnew ||= all;
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
  const said = text ? ` “${text}”` : "";
  return `An operator has suspended your account: ${REPORT_REASON_LABELS[reason]}.${said} Contact us if you think this is a mistake.`;
}
