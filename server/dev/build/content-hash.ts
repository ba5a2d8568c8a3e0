import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../lib/paths.ts";

/** A hash over the content of files and folders (tests left out) and some further text. */
export function contentHash(paths: string[], ...extra: string[]): string {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesOf(path)) {
      hash.update(`${relative(ROOT, file)}\0`);
      hash.update(readFileSync(file));
    }
  }
  for (const text of extra) hash.update(`\0${text}`);
  return hash.digest("hex");
}

function filesOf(path: string): string[] {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind) return [];
  if (kind.isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
