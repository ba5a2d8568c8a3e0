import { type Filter, ObjectId } from "mongodb";
import type { FileInfo, FilePlace } from "../contract/index.ts";
import type { Collections } from "../db/collections.ts";
import type { FileDoc, PlaceDoc } from "../db/documents/files.ts";
import { invalid } from "./problem-error.ts";

/** The projection of files that are listed. */
export const LISTED_FILE = { thumbnail: 0 } as const;

/** Only these are re-encoded, have a thumbnail, and may be shown in a page. */
export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"] as const;

export function presentFile({ _id, name, size, type = "", scanned }: Omit<FileDoc, "place">): FileInfo {
  const isPicture = PICTURE_TYPES.some((picture) => picture === type);
  return {
    ...{ _id: _id.toHexString(), name, size, type },
    ...(isPicture && { picture: true as const }),
    ...(!scanned && { unscanned: true as const }),
  };
}

/** Files by the id of what they hang on. */
export type FilesOn = ReadonlyMap<string, FileInfo[]>;

/** The files of those messages that have some. */
export async function filesOn(
  { files }: Collections,
  messages: readonly { _id: ObjectId; withFiles?: true | undefined }[],
): Promise<FilesOn> {
  const ids = messages.flatMap(({ _id, withFiles }) => (withFiles ? [_id] : []));
  const found = new Map<string, FileInfo[]>();
  if (ids.length === 0) return found;
  for await (const file of files.find(
    { "place.on": { $in: ids }, state: "ready" },
    { projection: LISTED_FILE, sort: { order: 1 } },
  )) {
    const key = file.place?.on?.toHexString() ?? "";
    found.set(key, [...(found.get(key) ?? []), presentFile(file)]);
  }
  return found;
}

/** The files in a person's public profile; undefined without any. */
export async function portfolioOf({ files }: Collections, uid: string): Promise<FileInfo[] | undefined> {
  const filter = { uid, "place.kind": "portfolio", state: "ready" } as const;
  const found = await files.find(filter, { projection: LISTED_FILE, sort: { order: 1 } }).toArray();
  return found.length > 0 ? found.map(presentFile) : undefined;
}

/** Where files stay, because what they hang on cannot be edited. */
const KEPT = new Set<FilePlace>(["message", "delivery"]);

/**
 * Attaches a person's uploads to what they hang on, in the transaction that writes it. Files that hung there before and
 * are not listed are deleted, except from what cannot be edited. Undefined changes nothing.
 * @returns whether other files hang there now.
 * @throws {ProblemError} `invalid` if one of them is not theirs, not ready, or used elsewhere.
 */
export async function attachFiles(
  { files }: Collections,
  uid: string,
  ids: readonly string[] | undefined,
  place: PlaceDoc,
  now: Date,
): Promise<boolean> {
  if (!ids) return false;
  const wanted = ids.map((id) => new ObjectId(id));
  const there: Filter<FileDoc> = {
    uid,
    state: "ready",
    "place.kind": place.kind,
    "place.on": place.on ?? { $exists: false },
  };
  let changed = 0;
  if (!KEPT.has(place.kind)) {
    const { modifiedCount } = await files.updateMany({ ...there, _id: { $nin: wanted } }, unused(now));
    changed += modifiedCount;
  }
  const free = { uid, state: "ready", place: { $exists: false } } as const;
  for (const [order, _id] of wanted.entries()) {
    const update = { $set: { place, order }, $unset: { expireAt: true } } as const;
    const { matchedCount, modifiedCount } = await files.updateOne({ _id, $or: [free, there] }, update);
    if (matchedCount === 0)
      // A profile's two kinds of files are fields by themselves.
      throw invalid(
        place.on ? "files" : place.kind,
        "One of the files is no longer there: remove it and choose it again.",
      );
    changed += modifiedCount;
  }
  return changed > 0;
}

/** Has files deleted by the sweep, in the transaction that deletes what they hang on. */
export async function releaseFiles(
  { files }: Collections,
  filter: Filter<FileDoc>,
  now: Date,
): Promise<void> {
  await files.updateMany(filter, unused(now));
}

const unused = (now: Date) => ({
  $set: { state: "unused" as const, expireAt: now },
  $unset: { place: true as const },
});
