import { type Database, drainBatches } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import type { Storage } from "./storage.ts";

const BATCH = 100;

/**
 * Deletes files that nothing uses: the content first and the document last, so that nothing is left without one,
 * wherever this is interrupted.
 */
export function deleteUnused({ files, fileParts }: Database, storage: Storage): Work {
  return async ({ now, signal }) => {
    const expired = { expireAt: { $lte: now } };
    // Nobody can attach them from here on.
    await files.updateMany(expired, { $set: { state: "unused" } });
    await drainBatches(
      async () =>
        signal.aborted
          ? []
          : files.find({ ...expired, state: "unused" }, { projection: { _id: 1 }, limit: BATCH }).toArray(),
      async (batch) => {
        for (const { _id } of batch) {
          await storage.remove(_id);
          await fileParts.deleteMany({ fileId: _id });
          await files.deleteOne({ _id, state: "unused" });
        }
      },
    );
  };
}
