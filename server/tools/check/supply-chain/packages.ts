import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { CLIENT, ROOT, SERVER } from "../../lib/paths.ts";

/** A package that ships, in the server or in the web app. */
export type ShippedPackage = {
  name: string;
  version: string;
  /** The SPDX expression of its package.json; "" without one. */
  license: string;
  homepage: string | undefined;
  /** Its dependencies, as `name@version`. */
  needs: string[];
};

/** One of our own packages, with its direct dependencies. */
export type OwnPackage = { name: string; version: string; needs: string[] };

type PackageJson = {
  name: string;
  version: string;
  license?: string;
  /** The old form, before SPDX expressions. */
  licenses?: { type?: string }[];
  homepage?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

/**
 * All direct and indirect `dependencies` of server and client, read from `node_modules` in a tenth of a second, without
 * network. Optional packages for other platforms are not installed, so they are not included.
 */
export function shippedPackages(): { own: OwnPackage[]; packages: ShippedPackage[] } {
  const found = new Map<string, ShippedPackage>();
  const own = [SERVER, CLIENT].map((folder) => {
    const manifest = manifestOf(folder);
    // Links between our own packages do not count.
    const needs = Object.keys(manifest.dependencies ?? {}).flatMap((name) => {
      return name.startsWith("@tasklane/") ? [] : visit(join(folder, "node_modules", name), found);
    });
    return { name: manifest.name, version: manifest.version, needs };
  });
  const packages = [...found.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return { own, packages };
}

/** Adds a package and its dependencies to `found`. @returns its id, or nothing if it is not installed. */
function visit(link: string, found: Map<string, ShippedPackage>): string[] {
  if (!existsSync(link)) return [];
  const folder = realpathSync(link);
  const manifest = manifestOf(folder);
  const id = idOf(manifest);
  if (found.has(id)) return [id];
  const { name, version, licenses = [], homepage } = manifest;
  const license = manifest.license ?? licenses.map(({ type = "" }) => type).join(" OR ");
  const shipped: ShippedPackage = {
    name,
    version,
    license,
    homepage,
    needs: [],
  };
  found.set(id, shipped);
  // pnpm puts a package's dependencies beside it.
  const beside = name.includes("/") ? dirname(dirname(folder)) : dirname(folder);
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  shipped.needs = names.flatMap((each) => visit(join(beside, each), found));
  return [id];
}

function manifestOf(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageJson;
}

/** How the lock file and our lists name a package. */
export const idOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;

type Lock = { packages: Record<string, { resolution: { integrity?: string } }> };

/** The checksums in the lock file (`sha512-…`, base64), by `name@version`. */
export function lockedChecksums(): Map<string, string | undefined> {
  const { packages } = parse(readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8")) as Lock;
  return new Map(Object.entries(packages).map(([id, { resolution }]) => [id, resolution.integrity]));
}
