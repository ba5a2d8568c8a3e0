import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { withLock } from "../lib/lock.ts";
import { CLIENT, ROOT, SERVER, WEB_ROOT } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { explain, UserError } from "../lib/user-error.ts";

const SHARED = ["pnpm-lock.yaml", "tsconfig.base.json"];
const SERVER_SOURCES = [...SHARED, "server/src", "server/package.json", "server/vite.config.ts"];
export const CLIENT_SOURCES = [
  ...SHARED,
  ...["src", "public", "build", "index.html", "package.json", "tsconfig.json", "vite.config.ts"].map(
    (name) => `client/${name}`,
  ),
  "server/src/contract",
  ...[".env", ".env.local", ".env.production", ".env.production.local"],
];

/** `unchanged` if the sources are those of the last build. */
export type BuildOutcome = "built" | "unchanged";

/** Bundles the server and its packages in `server/dist`, unless nothing has changed since the last build. */
export function buildServer(): Promise<BuildOutcome> {
  // It contains sharp's native code.
  const hash = contentHash(SERVER_SOURCES, process.platform + process.arch);
  return build("server", SERVER, join(SERVER, "dist"), process.env, hash);
}

/**
 * Builds and compresses the client, unless neither its sources nor its `VITE_*` variables have changed.
 * @param env the environment of the build; empty variables override those of the `.env` file
 */
export function buildClient(env: NodeJS.ProcessEnv, outDir = WEB_ROOT): Promise<BuildOutcome> {
  const variables = Object.entries(env).filter(([name]) => name.startsWith("VITE_"));
  const hash = contentHash(CLIENT_SOURCES, JSON.stringify(variables.sort()));
  return build("web app", CLIENT, outDir, env, hash, () => precompress(outDir));
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

/** Runs Vite in a package, unless the last build into the folder had the same hash. */
async function build(
  name: string,
  folder: string,
  outDir: string,
  env: NodeJS.ProcessEnv,
  hash: string,
  finish?: () => Promise<void>,
): Promise<BuildOutcome> {
  const stamp = join(outDir, ".tasklane-build");
  // Concurrent builds (tests beside a running product) must not write to the same folder.
  const lock = join(ROOT, ".tasklane", `build-${name.replaceAll(" ", "-")}.lock`);
  return withLock(lock, async () => {
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return "unchanged";
    // Removed first, so that an interrupted build is repeated.
    rmSync(stamp, { force: true });
    const args = ["build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
    // An inherited NODE_ENV could bundle React's slow development build.
    const options = { env: { ...env, NODE_ENV: "production" } };
    const { code, output } = await runBin(folder, "vite", args, options);
    if (/ENOSPC|no space left/i.test(output) && code !== 0)
      throw new UserError(explain(Object.assign(new Error(), { code: "ENOSPC" })));
    if (code !== 0) throw new UserError(`${output.trim()}\n\nThe ${name} could not be built (see above).`);
    await finish?.();
    writeFileSync(stamp, hash);
    return "built";
  });
}

/** A hash of the contents of files and folders of the repository, except tests, and of further text. */
function contentHash(paths: readonly string[], text = ""): string {
  const hash = createHash("sha256").update(text);
  for (const file of paths.flatMap((path) => filesOf(join(ROOT, path))).sort())
    hash.update(`\0${relative(ROOT, file)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

function filesOf(path: string): string[] {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (kind?.isDirectory()) return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
  return kind && !/\.test\.tsx?$/.test(path) ? [path] : [];
}

const TEXT = /\.(css|html|js|json|svg|txt|webmanifest|xml|md)$/;
const MIN_COMPRESSED_BYTES = 1024;

/** Writes `.br` and `.gz` beside each text file, so that serving needs no compression. Skips dot folders. */
async function precompress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => TEXT.test(name) && !name.startsWith("."))
      .map(async (name) => {
        const file = join(folder, name);
        const content = await readFile(file);
        if (content.length < MIN_COMPRESSED_BYTES) return;
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        };
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
        await writeFile(
          `${file}.gz`,
          await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
        );
      }),
  );
}
