import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { withLock } from "../lib/lock.ts";
import { CLIENT, ROOT, SERVER, WEB_ROOT } from "../lib/paths.ts";
import { type RunResult, runBin } from "../lib/run.ts";
import { explain, UserError } from "../lib/user-error.ts";

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

/** `unchanged` if the sources are those of the last build. */
export type BuildOutcome = "built" | "unchanged";

/** Bundles the server and its packages in `server/dist`, unless nothing has changed since the last build. */
export function buildServer(): Promise<BuildOutcome> {
  const outDir = join(SERVER, "dist");
  const hash = contentHash([...SHARED, ...SERVER_SOURCES]);
  return unlessUnchanged("server", outDir, hash, async () => {
    const args = ["build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
    const env = { ...process.env, NODE_ENV: "production" };
    explainFailure("server", await runBin(SERVER, "vite", args, { env }));
  });
}

/**
 * Builds and compresses the client, unless neither its sources nor its `VITE_*` variables have changed.
 * @param env the environment of the build; empty variables override those of the `.env` file
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
    // An inherited NODE_ENV could bundle React's slow development build.
    const result = await runBin(CLIENT, "vite", args, { env: { ...env, NODE_ENV: "production" } });
    explainFailure("web app", result);
    await precompress(outDir);
  });
}

/** Not client/dist: a test build must not replace the files of a running product. */
export const E2E_WEB_ROOT = join(ROOT, ".tasklane", "e2e-client");

/** Builds the product for the browser tests: as shipped, except that it uses the Auth emulator. */
export async function buildForE2e(): Promise<void> {
  await buildServer();
  // Empty variables override a developer's .env, so that tests never reach a real Firebase project or another API.
  const names = Object.keys(process.env).filter((name) => name.startsWith("VITE_"));
  const known = [
    ...["VITE_API_URL", "VITE_SITE_URL"],
    ...["API_KEY", "AUTH_DOMAIN", "PROJECT_ID", "APP_ID"].map((n) => `VITE_FIREBASE_${n}`),
  ];
  const blank = Object.fromEntries([...names, ...known].map((name) => [name, ""]));
  await buildClient({ ...process.env, ...blank }, E2E_WEB_ROOT);
}

async function unlessUnchanged(
  name: string,
  outDir: string,
  hash: string,
  build: () => Promise<void>,
): Promise<BuildOutcome> {
  const stamp = join(outDir, ".tasklane-build");
  // Concurrent builds (tests beside a running product) must not write to the same folder.
  const lockName = name.replaceAll(" ", "-");
  return withLock(join(ROOT, ".tasklane", `build-${lockName}.lock`), async () => {
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return "unchanged";
    // Removed first, so that an interrupted build is repeated.
    rmSync(stamp, { force: true });
    await build();
    writeFileSync(stamp, hash);
    return "built";
  });
}

function explainFailure(name: string, result: RunResult): void {
  if (result.code === 0) return;
  if (/ENOSPC|no space left/i.test(result.output)) {
    throw new UserError(explain(Object.assign(new Error(), { code: "ENOSPC" })));
  }
  throw new UserError(`${result.output.trim()}\n\nThe ${name} could not be built (see above).`);
}

/** A hash of the contents of files and folders, except tests, and of further text. */
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

const TEXT_EXTENSIONS = new Set([
  ".css",
  ".html",
  ".js",
  ".json",
  ".svg",
  ".txt",
  ".webmanifest",
  ".xml",
  ".md",
]);
const MIN_COMPRESSED_BYTES = 1024;

/** Writes `.br` and `.gz` beside each text file, so that serving needs no compression. Skips dot folders. */
async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) =>
      entry.isFile() &&
      TEXT_EXTENSIONS.has(extname(entry.name)) &&
      !relative(folder, entry.parentPath).startsWith("."),
  );
  await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < MIN_COMPRESSED_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
