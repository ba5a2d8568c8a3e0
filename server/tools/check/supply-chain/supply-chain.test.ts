import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../lib/paths.ts";
import { softwareBill } from "../sbom.ts";
import { isAllowed, licenceProblems } from "./licences.ts";
import { idOf, lockedChecksums, shippedPackages } from "./packages.ts";

test("When packages are installed, then each is in the lock file, which pins every checksum", () => {
  const checksums = lockedChecksums();
  expect(checksums.size).toBeGreaterThan(500);
  expect([...checksums].filter(([, checksum]) => !checksum?.startsWith("sha512-"))).toEqual([]);
  const { packages } = shippedPackages();
  expect(packages.map(idOf).filter((id) => !checksums.has(id))).toEqual([]);
});

test("When packages have install scripts, then none runs, and each has an explicit decision", () => {
  const decided = allowedBuilds();
  expect(Object.values(decided)).not.toContain(true);
  const found = packagesWithInstallScripts();
  expect(found).toContain("esbuild");
  const undecided = found.filter((name) => !(name in decided));
  expect(undecided).toEqual([]);
});

test("When packages are being installed, then the lock file is frozen and nothing is audited", () => {
  const bootstrap = readFileSync(join(ROOT, "server/tools/bootstrap.mjs"), "utf8");
  expect(bootstrap).toContain('["install", "--frozen-lockfile"');
  // An audit would send the names of all packages to the registry.
  const scripts = readFileSync(join(ROOT, "package.json"), "utf8");
  for (const text of [bootstrap, scripts]) expect(text).not.toMatch(/\baudit\b/);
});

test("When a version is declared, then it is exact: no range, tag or URL", () => {
  const catalog = readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8")
    .split("\ncatalog:\n")[1]
    ?.split("\n\n")[0];
  const versions = (catalog ?? "").split("\n").map((row) => row.split(": ")[1]);
  expect(versions.length).toBeGreaterThan(40);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version ?? ""))).toEqual([]);
  for (const name of [
    "package.json",
    "client/package.json",
    "server/package.json",
    "server/tools/package.json",
  ]) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(
      readFileSync(join(ROOT, name), "utf8"),
    ) as {
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
    };
    const wanted = Object.values({ ...dependencies, ...devDependencies });
    expect(wanted.filter((version) => version !== "catalog:" && version !== "workspace:*")).toEqual([]);
  }
});

test("When a package ships, then its licence is allowed", () => {
  const { packages } = shippedPackages();
  expect(licenceProblems(packages)).toEqual([]);
  expect(
    licenceProblems([{ name: "x", version: "1.0.0", license: "", homepage: undefined, needs: [] }]),
  ).toHaveLength(1);
});

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["MIT AND GPL-3.0-only", false],
  ["AGPL-3.0-or-later", false],
  ["SEE LICENSE IN LICENSE.md", false],
  ["", false],
])("When a licence is %j, then whether it is allowed is %j", (expression, allowed) => {
  expect(isAllowed(expression)).toBe(allowed);
});

test("When the bill of materials is written, then each package has URL, licence and checksum, and a second run writes the same", () => {
  const shipped = shippedPackages();
  const text = softwareBill(shipped, lockedChecksums());
  expect(softwareBill(shippedPackages(), lockedChecksums())).toBe(text);
  const bill = JSON.parse(text) as {
    specVersion: string;
    components: { name: string; purl?: string; licenses?: unknown[]; hashes?: { alg: string }[] }[];
    dependencies: { ref: string; dependsOn?: string[] }[];
  };
  expect(bill.specVersion).toBe("1.6");
  const libraries = bill.components.filter(({ purl }) => purl !== undefined);
  expect(libraries).toHaveLength(shipped.packages.length);
  for (const { licenses, hashes } of libraries)
    expect([licenses?.length, hashes?.[0]?.alg]).toEqual([1, "SHA-512"]);
  expect(libraries.find(({ name }) => name === "@fontsource-variable/instrument-sans")?.purl).toMatch(
    /^pkg:npm\/%40fontsource-variable\/instrument-sans@\d/,
  );
  const server = bill.dependencies.find(({ ref }) => ref === "@tasklane/server");
  expect(server?.dependsOn?.some((ref) => ref.startsWith("mongodb@"))).toBe(true);
});

function packagesWithInstallScripts(): string[] {
  const store = join(ROOT, "node_modules/.pnpm");
  const names = readdirSync(store).flatMap((entry) => {
    const folder = join(store, entry, "node_modules");
    return subfolders(folder).flatMap((name) => (hasInstallScript(join(folder, name)) ? [name] : []));
  });
  return [...new Set(names)];
}

function subfolders(folder: string): string[] {
  const entries = readFolder(folder).filter((entry) => entry.isDirectory());
  return entries.flatMap(({ name }) => {
    if (!name.startsWith("@")) return [name];
    const scoped = readFolder(join(folder, name)).filter((entry) => entry.isDirectory());
    return scoped.map((entry) => `${name}/${entry.name}`);
  });
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function hasInstallScript(folder: string): boolean {
  try {
    const { scripts = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      scripts?: Record<string, string>;
    };
    return ["preinstall", "install", "postinstall"].some((name) => name in scripts);
  } catch {
    return false;
  }
}

/** The decision on each package with an install script: true lets it run. */
function allowedBuilds(): Record<string, boolean> {
  const workspace = parse(readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8")) as {
    allowBuilds: Record<string, boolean>;
  };
  return workspace.allowBuilds;
}
