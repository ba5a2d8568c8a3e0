import { fileTypeFromBuffer } from "file-type";
import { Binary } from "mongodb";
import sharp from "sharp";
import { FILE_LIMITS } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { FileDoc } from "../../db/documents/files.ts";
import type { Work } from "../../db/jobs.ts";
import { PICTURE_TYPES } from "../../domain/files.ts";
import { queueForOperators } from "../../domain/operators.ts";
import { scan } from "./scan.ts";
import type { Storage } from "./storage.ts";

// One picture at a time takes enough memory.
sharp.concurrency(1);
sharp.cache(false);

const MAX_SIDE = 4_096;
const THUMBNAIL_SIDE = 320;
const ANY_TYPE = "application/octet-stream";

/** Why a file is refused. */
class Refused extends Error {
  override name = "Refused";
}

type Checked = { content: Buffer; type: string; thumbnail?: Buffer };

/**
 * Checks an upload that has arrived, and moves it to the storage: its type is found from the content, not from the name;
 * ClamAV scans it, if there is one; pictures are turned upright and encoded anew, without metadata. Can be repeated at any
 * point; the parts are deleted in the transaction that makes the file ready.
 */
export function fileCheck(database: Database, storage: Storage, clamdUrl: string | undefined): Work {
  const { files, fileParts, transaction } = database;

  async function assemble({ _id: fileId, size }: FileDoc): Promise<Buffer> {
    const parts = await fileParts.find({ fileId }, { sort: { offset: 1 } }).toArray();
    const content = Buffer.concat(parts.map(({ bytes }) => bytes.buffer));
    if (content.length !== size) throw new Refused("The file arrived incomplete: upload it again.");
    return content;
  }

  return async ({ subject: [_id], now, complete }) => {
    const file = await files.findOne({ _id, state: "checking" });
    const end = (change: Partial<FileDoc>, isInfected = false) =>
      transaction(async () => {
        await complete();
        await files.updateOne({ _id, state: "checking" }, { $set: change });
        await fileParts.deleteMany({ fileId: _id });
        if (isInfected && file)
          await queueForOperators(
            database,
            "infected-file",
            { taskId: _id, personId: file.uid },
            { ...(change.reason && { note: change.reason }), now },
          );
      });
    if (!file) return end({});
    try {
      const received = await assemble(file);
      const found = clamdUrl && (await scan(clamdUrl, received));
      if (found)
        return end({ state: "refused", reason: `The virus scanner found ${found.slice(0, 100)}.` }, true);
      const { content, type, thumbnail } = await examine(received);
      await storage.put(_id, content);
      const checked = { type, size: content.length, scanned: clamdUrl !== undefined };
      await end({ ...checked, state: "ready", ...(thumbnail && { thumbnail: new Binary(thumbnail) }) });
      // Cancelled meanwhile, and deleted before the content was stored.
      if (!(await files.findOne({ _id }, { projection: { _id: 1 } }))) await storage.remove(_id);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await end({ state: "refused", reason: error.message });
    }
  };
}

/** @throws {Refused} */
async function examine(content: Buffer): Promise<Checked> {
  const { mime: type = ANY_TYPE } = (await fileTypeFromBuffer(content)) ?? {};
  if (!PICTURE_TYPES.some((picture) => picture === type)) return { content, type };
  try {
    const picture = sharp(content, { animated: true, limitInputPixels: FILE_LIMITS.pixels });
    const size = { width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true } as const;
    const encoded = await picture.autoOrient().resize(size).timeout({ seconds: 20 }).toBuffer();
    const small = { ...size, width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE };
    const thumbnail = await sharp(encoded).resize(small).webp().toBuffer();
    return { content: encoded, type, thumbnail };
  } catch {
    throw new Refused("This picture cannot be read: it is damaged, or has too many pixels.");
  }
}
