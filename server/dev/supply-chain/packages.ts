import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { CLIENT, ROOT, SERVER } from "../lib/paths.ts";

/** A package that ships: in the server, or in what browsers download. */
export type ShippedPackage = {
  name: string;
  version: string;
  /** An SPDX expression, as the package itself says; "" if it says nothing. */
  license: string;
  homepage: string | undefined;
  /** `name@version` of what it needs. */
  needs: string[];
};

/** One of our own packages with what it needs directly. */
export type OwnPackage = { name: string; version: string; needs: string[] };

type PackageJson = {
  name: string;
  version: string;
  license?: string;
  /** The form before SPDX expressions. */
  licenses?: { type?: string }[];
  homepage?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

/**
 * All direct and indirect `dependencies` of server and client as installed, read from `node_modules` in a tenth of a
 * second and without network. Optional packages for other platforms are not installed, so not included.
 */
export function shippedPackages(): { own: OwnPackage[]; packages: ShippedPackage[] } {
  const found = new Map<string, ShippedPackage>();
  const own = [SERVER, CLIENT].map((folder) => {
    const manifest = manifestOf(folder);
    // Our own packages are linked to each other.
    const needs = Object.keys(manifest.dependencies ?? {}).flatMap((name) => {
      return name.startsWith("@tasklane/") ? [] : visit(join(folder, "node_modules", name), found);
    });
    return { name: manifest.name, version: manifest.version, needs };
  });
  const packages = [...found.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return { own, packages };
}

/** @returns the id of the package, or nothing if it is not installed. */
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
  // pnpm puts what a package needs beside it.
  const beside = name.includes("/") ? dirname(dirname(folder)) : dirname(folder);
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  shipped.needs = names.flatMap((each) => visit(join(beside, each), found));
  return [id];
}

function manifestOf(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageJson;
}

/** The name of a package in lock file and lists. */
export const idOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;

type Lock = { packages: Record<string, { resolution: { integrity?: string } }> };

/** The checksum that each package of the lock file must have (`sha512-…`, base64), by `name@version`. */
export function lockedChecksums(): Map<string, string | undefined> {
  const { packages } = parse(readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8")) as Lock;
  return new Map(Object.entries(packages).map(([id, { resolution }]) => [id, resolution.integrity]));
}

/** Decisions about packages with install scripts: true lets them run. */
export function allowedBuilds(): Record<string, boolean> {
  const workspace = parse(readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8")) as {
    allowBuilds: Record<string, boolean>;
  };
  return workspace.allowBuilds;
}
