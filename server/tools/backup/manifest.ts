import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { IndexDescription } from "mongodb";
import { UserError } from "../lib/user-error.ts";

/** The version of the backup format; raised when older versions can no longer read it. */
export const FORMAT = 1;

/** A file of the backup: its name in the folder, its size in bytes, and its SHA-256 in hex. */
export type BackupFile = { file: string; bytes: number; sha256: string };

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

export const MANIFEST = "manifest.json";

/** Prefix of the collections that a restore is loading, until they replace the existing ones. */
export const STAGING_PREFIX = "restoring_";

// Streamed, because a collection may be larger than memory.
async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/**
 * Reads the manifest of a backup and checks every file against it.
 * @throws {UserError} if the folder is not a backup, or a file is missing or changed.
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = parseManifest(folder);
  const files = [...manifest.collections, ...(manifest.accounts ? [manifest.accounts] : [])];
  for (const { file, bytes, sha256 } of files) {
    const path = join(folder, file);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw new UserError(`${path} is missing: this backup cannot be restored.`);
    if (size !== bytes || (await sha256Of(path)) !== sha256)
      throw new UserError(`${path} is damaged (its checksum differs): this backup cannot be restored.`);
  }
  return manifest;
}

function parseManifest(folder: string): Manifest {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as Partial<Manifest>;
  } catch {
    throw new UserError(`${folder} is not a backup: it has no readable ${MANIFEST}.`);
  }
  if (manifest.product !== "tasklane" || !Array.isArray(manifest.collections))
    throw new UserError(`${folder} is not a backup of Tasklane.`);
  if (manifest.format !== FORMAT)
    throw new UserError(`${folder} has the format ${manifest.format}, this version reads ${FORMAT}.`);
  // A crafted manifest may name files outside the folder, on Windows also by a drive.
  const named = [...manifest.collections, ...(manifest.accounts ? [manifest.accounts] : [])];
  if (named.some(({ file }) => !/^[^/\\:]+\.(?:ndjson|json)\.gz$/.test(file)))
    throw new UserError(`${folder} has a manifest that was tampered with.`);
  return manifest as Manifest;
}
