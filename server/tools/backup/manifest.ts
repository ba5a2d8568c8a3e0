import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { IndexDescription } from "mongodb";
import { UserError } from "../lib/user-error.ts";

/** The version of the backup format; raised when older versions can no longer read it. */
export const FORMAT = 1;

/** One collection: a gzipped file with one document per line (MongoDB Extended JSON, canonical). */
export type CollectionBackup = {
  name: string;
  file: string;
  documents: number;
  indexes: IndexDescription[];
};

/** The content of a backup. It is written last, so a folder with a manifest is complete. */
export type Manifest = {
  format: number;
  product: "tasklane";
  createdAt: string;
  database: string;
  collections: CollectionBackup[];
  /** The accounts of the embedded Auth emulator; those of a real Firebase project are stored by Firebase. */
  accounts?: { file: string; count: number };
};

/** A backup whose files are all there. */
export type Backup = Manifest & { folder: string };

export const MANIFEST = "manifest.json";

/** Prefix of the collections that a restore is loading, until they replace the existing ones. */
export const STAGING_PREFIX = "restoring_";

/** For a file of a backup that cannot be read, for example because gzip's checksum differs. */
export const damaged = (path: string, error: unknown) =>
  new UserError(`${path} is damaged (${(error as Error).message}): this backup cannot be restored.`);

/**
 * Reads the manifest of a backup.
 * @throws {UserError} if the folder is not a complete backup.
 */
export function readBackup(folder: string): Backup {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as Partial<Manifest>;
  } catch {
    throw new UserError(`${folder} is not a complete backup: it has no readable ${MANIFEST}.`);
  }
  const { product, format, collections, accounts } = manifest;
  if (product !== "tasklane" || !Array.isArray(collections))
    throw new UserError(`${folder} is not a backup of Tasklane.`);
  if (format !== FORMAT)
    throw new UserError(`${folder} has the format ${format}, this version reads ${FORMAT}.`);
  for (const { file } of [...collections, ...(accounts ? [accounts] : [])]) {
    // A crafted manifest may name files outside the folder, on Windows also by a drive.
    if (!/^[^/\\:]+\.(?:ndjson|json)\.gz$/.test(file))
      throw new UserError(`${folder} has a manifest that was tampered with.`);
    const path = join(folder, file);
    if (!existsSync(path)) throw new UserError(`${path} is missing: this backup cannot be restored.`);
  }
  return { ...(manifest as Manifest), folder };
}
