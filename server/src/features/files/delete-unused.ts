import type { ObjectId } from "mongodb";
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
    const failed = new Map<ObjectId, unknown>();
    await drainBatches(
      async () =>
        signal.aborted || failed.size >= BATCH
          ? []
          : files
              .find(
                { ...expired, state: "unused", _id: { $nin: [...failed.keys()] } },
                { projection: { _id: 1 }, limit: BATCH },
              )
              .toArray(),
      async (batch) => {
        for (const { _id } of batch) {
          try {
            await storage.remove(_id);
          } catch (error) {
            // A few failures must not hold up the others; many are the storage's.
            failed.set(_id, error);
            continue;
          }
          await fileParts.deleteMany({ fileId: _id });
          await files.deleteOne({ _id, state: "unused" });
        }
      },
    );
    if (failed.size > 0) throw new AggregateError(failed.values(), "some files could not be deleted yet");
  };
}
