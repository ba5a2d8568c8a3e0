import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../lib/paths.ts";

type Lock = { packages: Record<string, { resolution: { integrity?: string } }> };

/** The checksum that each package of the lock file must have (`sha512-…`, base64), by `name@version`. */
export function lockedChecksums(): Map<string, string | undefined> {
  const { packages } = parse(readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8")) as Lock;
  return new Map(Object.entries(packages).map(([id, { resolution }]) => [id, resolution.integrity]));
}

/** Packages whose install scripts somebody decided about: true lets them run. */
export function allowedBuilds(): Record<string, boolean> {
  const workspace = parse(readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8")) as {
    allowBuilds: Record<string, boolean>;
  };
  return workspace.allowBuilds;
}
