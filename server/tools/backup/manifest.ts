import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { IndexDescription } from "mongodb";
import { UserError } from "../lib/user-error.ts";

/** The version of the backup format; raised when older versions can no longer read it. */
export const FORMAT = 1;

/** A file of the backup: its name in the folder, and its SHA-256 in hex. */
export type BackupFile = { file: string; sha256: string };

/** One collection: a gzipped file with one document per line (MongoDB Extended JSON, canonical). */
export type CollectionBackup = BackupFile & { name: string; documents: number; indexes: IndexDescription[] };

/** The content of a backup. It is written last, so a folder with a manifest is complete. */
export type Manifest = {
  format: typeof FORMAT;
  product: "tasklane";
  createdAt: string;
  database: string;
  collections: CollectionBackup[];
  /** The accounts of the embedded Auth emulator; those of a real Firebase project are stored by Firebase. */
  accounts?: BackupFile & { count: number };
};

/** A backup whose files have been checked. */
export type Backup = Manifest & { folder: string };

export const MANIFEST = "manifest.json";

/** Prefix of the collections that a restore is loading, until they replace the existing ones. */
export const STAGING_PREFIX = "restoring_";

/** Describes a file of the backup. Its content is streamed, because a collection may be larger than memory. */
export async function describeFile(folder: string, file: string): Promise<BackupFile> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(join(folder, file))) hash.update(chunk as Buffer);
  return { file, sha256: hash.digest("hex") };
}

/**
 * Reads the manifest of a backup and checks every file against it.
 * @throws {UserError} if the folder is not a backup, or a file is missing or changed.
 */
export async function readBackup(folder: string): Promise<Backup> {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as Partial<Manifest>;
  } catch {
    throw new UserError(`${folder} is not a backup: it has no readable ${MANIFEST}.`);
  }
  const { product, format, collections, accounts } = manifest;
  if (product !== "tasklane" || !Array.isArray(collections))
    throw new UserError(`${folder} is not a backup of Tasklane.`);
  if (format !== FORMAT)
    throw new UserError(`${folder} has the format ${format}, this version reads ${FORMAT}.`);
  for (const { file, sha256 } of [...collections, ...(accounts ? [accounts] : [])]) {
    // A crafted manifest may name files outside the folder, on Windows also by a drive.
    if (!/^[^/\\:]+\.(?:ndjson|json)\.gz$/.test(file))
      throw new UserError(`${folder} has a manifest that was tampered with.`);
    const path = join(folder, file);
    if (!existsSync(path)) throw new UserError(`${path} is missing: this backup cannot be restored.`);
    if ((await describeFile(folder, file)).sha256 !== sha256)
      throw new UserError(`${path} is damaged (its checksum differs): this backup cannot be restored.`);
  }
  return { ...(manifest as Manifest), folder };
}
