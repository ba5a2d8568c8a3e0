import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { withLock } from "../lib/lock.ts";
import { CLIENT, ROOT, SERVER, WEB_ROOT } from "../lib/paths.ts";
import { type RunResult, runBin } from "../lib/run.ts";
import { explain, UserError } from "../lib/user-error.ts";
import { precompress } from "./precompress.ts";

const SHARED = ["pnpm-lock.yaml", "tsconfig.base.json"].map((name) => join(ROOT, name));
const SERVER_SOURCES = ["src", "package.json", "vite.config.ts"].map((name) => join(SERVER, name));
const CLIENT_SOURCES = [
  "src",
  "public",
  "index.html",
  "package.json",
  "tsconfig.json",
  "vite.config.ts",
  "build",
].map((name) => join(CLIENT, name));

/** `unchanged` if the last build has the same sources. */
export type BuildOutcome = "fresh" | "unchanged";

/** Bundles the server with its packages in `server/dist`, unless nothing changed since the last time. */
export function buildServer(outDir = join(SERVER, "dist")): Promise<BuildOutcome> {
  const hash = contentHash([...SHARED, ...SERVER_SOURCES]);
  return unlessUnchanged("server", outDir, hash, async () => {
    const args = ["build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
    const env = { ...process.env, NODE_ENV: "production" };
    explainFailure("server", await runBin(SERVER, "vite", args, { env }));
  });
}

/**
 * Builds and compresses the client, unless neither its sources nor its `VITE_*` variables changed.
 * @param env the variables the build sees; empty ones hide those of the `.env` file
 */
export function buildClient(env: NodeJS.ProcessEnv, outDir = WEB_ROOT): Promise<BuildOutcome> {
  const variables = Object.entries(env).filter(([name]) => name.startsWith("VITE_"));
  const contract = join(SERVER, "src/contract");
  const hash = contentHash(
    [
      ...SHARED,
      ...CLIENT_SOURCES,
      contract,
      ...[".env", ".env.local", ".env.production"].map((n) => join(ROOT, n)),
    ],
    JSON.stringify(variables.sort()),
  );
  return unlessUnchanged("web app", outDir, hash, async () => {
    const args = ["build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
    // An inherited NODE_ENV could build React's slow development variant.
    const result = await runBin(CLIENT, "vite", args, { env: { ...env, NODE_ENV: "production" } });
    explainFailure("web app", result);
    await precompress(outDir);
  });
}

async function unlessUnchanged(
  name: string,
  outDir: string,
  hash: string,
  build: () => Promise<void>,
): Promise<BuildOutcome> {
  const stamp = join(outDir, ".tasklane-build");
  // Two builds at once (a test beside the product) must not write into the same folder.
  const lockName = name.replaceAll(" ", "-");
  return withLock(join(ROOT, ".tasklane", `build-${lockName}.lock`), async () => {
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return "unchanged";
    // Removed first, so that an interrupted build is repeated.
    rmSync(stamp, { force: true });
    await build();
    writeFileSync(stamp, hash);
    return "fresh";
  });
}

function explainFailure(name: string, result: RunResult): void {
  if (result.code === 0) return;
  if (/ENOSPC|no space left/i.test(result.output)) {
    throw new UserError(explain(Object.assign(new Error(), { code: "ENOSPC" })));
  }
  throw new UserError(`${result.output.trim()}\n\nThe ${name} could not be built (see above).`);
}

/** A hash over the content of files and folders (tests left out) and some further text. */
function contentHash(paths: string[], ...extra: string[]): string {
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
