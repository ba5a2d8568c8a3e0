import type { Change, ChangeFeed } from "./change-feed.ts";

/** What other instances wrote is known here at most this much later; one small read in that time. */
const REFRESH_MS = 5_000;

/**
 * Keeps what this instance holds of a collection in memory fresh.
 * @param changes tells of changes at once; without it they are known a few seconds later.
 * @param read reads what changed since the last time.
 * @returns resolves when what is held is fresh; mostly at once.
 */
export function refreshOnChange(
  collection: Change["collection"],
  changes: Pick<ChangeFeed, "onChange"> | undefined,
  read: () => Promise<void>,
): () => Promise<void> {
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let changedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;
  changes?.onChange((change) => {
    if (!change || change.collection === collection) changedAt = performance.now();
  });
  const isStale = () => performance.now() - refreshedAt > REFRESH_MS || refreshedAt <= changedAt;

  async function refresh(): Promise<void> {
    const began = performance.now();
    await read();
    refreshedAt = began;
  }

  return async () => {
    // Once more if something changed while it was read, but never without end.
    for (let time = 0; time < 2 && isStale(); time++) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    }
  };
}
