// @ts-check
/*
 * Runs every npm script. It is JavaScript because it runs before anything is installed, in a syntax that even an old
 * Node can parse, so that it can print which version is needed.
 *
 * node server/tools/bootstrap.mjs <command> [arguments], or tool [name] [arguments]
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

/**
 * The scripts of package.json, and `e2e-server`, which the browser tests start. Each with its folder.
 * @type {Record<string, string>}
 */
const COMMANDS = {
  start: "start",
  dev: "start",
  test: "check",
  check: "check",
  build: "start",
  format: "check",
  backup: "backup",
  restore: "backup",
  verify: "backup",
  "e2e-server": "start",
};

/**
 * What measures and proves: `npm run tool NAME`. Each with the file that runs it and what it does.
 * @type {Record<string, [file: string, purpose: string]>}
 */
const TOOLS = {
  bench: ["bench/bench.ts", "requests per second beside the bare driver, at up to a million tasks"],
  browsers: [
    "check/browser-tool.ts",
    "sessions, live events and the place of overlays in Firefox and WebKit",
  ],
  chaos: [
    "check/test-tool.ts",
    "faults in database and instances under load: is anything lost or done twice?",
  ],
  cost: ["check/test-tool.ts", "commands to the database and files executed for a request of each endpoint"],
  crash: ["check/test-tool.ts", "every write on an instance that dies between two database commands"],
  fuzz: ["check/test-tool.ts", "hostile requests to every endpoint"],
  life: ["check/test-tool.ts", "lives of a task beside a model: all near a usual one, and random ones"],
  lighthouse: ["check/browser-tool.ts", "page speed, accessibility and SEO, against their goals"],
  monkey: ["check/browser-tool.ts", "uses the pages at random in a browser"],
  mutate: ["check/mutate.ts", "mutation testing of the rules"],
  soak: ["check/soak.ts", "repeats npm test, also on busy cores"],
};

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const { scripts, packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const stampFile = join(root, "node_modules", ".tasklane-install");
const PACKAGES = ["client", "server", "server/tools"];
const MANIFESTS = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  ...["", ...PACKAGES].map((folder) => join(folder, "package.json")),
];

main().catch((error) => {
  fail(error?.stack ?? String(error));
});

async function main() {
  const words = process.argv.slice(2);
  const isTool = words[0] === "tool";
  const [name = "", ...rest] = isTool ? words.slice(1) : words;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // Others cannot load what Vite and jsdom are made of.
  const isSupported = major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 20);
  if (!isSupported)
    fail(
      `Tasklane needs Node 20.20, 22.13, 24 or newer, this is ${process.version}: get one from https://nodejs.org`,
    );
  if (isTool && !name) return void process.stdout.write(`${listOfTools()}\n`);
  const file = isTool ? TOOLS[name]?.[0] : COMMANDS[name] && `${COMMANDS[name]}/${name}.ts`;
  if (!file) fail(isTool ? listOfTools() : `Usage: npm run ${Object.keys(scripts).join(" | ")}`);
  await ensureInstalled();
  // Needs tsx, which may have been installed only just now: no static import.
  const { importTs } = await import("./lib/import-ts.mjs");
  const { explain } = await importTs(fileOf("lib/user-error.ts"));
  // A closed terminal or pipe must not interrupt the shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  try {
    const { main: run } = await importTs(fileOf(file));
    await run(rest, name);
  } catch (error) {
    fail(`\n${explain(error)}`);
  }
}

function listOfTools() {
  const lines = Object.entries(TOOLS).map(([name, [, purpose]]) => `  ${name.padEnd(12)}${purpose}`);
  return ["Usage: npm run tool NAME [-- options]", "", ...lines].join("\n");
}

/** @param {string} file below server/tools */
function fileOf(file) {
  return pathToFileURL(join(here, file)).href;
}

async function ensureInstalled() {
  const wanted = manifestsHash();
  if (readStamp() === wanted) return;
  const started = Date.now();
  process.stdout.write("  · Packages       installing (the first time takes a minute)\n");
  // Removed first, so that an interrupted install is repeated at the next start.
  rmSync(stampFile, { force: true });
  const beat = setInterval(() => process.stdout.write("  · Packages       still installing\n"), 20000);
  try {
    await install();
  } catch (error) {
    const { stdout = "", stderr = "", message } = /** @type {Error & Record<string, string>} */ (error);
    const output = stdout + stderr || message;
    process.stderr.write(`${output}\n`);
    fail(whyInstallFailed(output));
  } finally {
    clearInterval(beat);
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, wanted);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`  ✓ Packages       installed                                    ${seconds} s\n`);
}

function manifestsHash() {
  const hash = createHash("sha256");
  for (const name of MANIFESTS) {
    hash.update(`${name}\0`);
    hash.update(existsSync(join(root, name)) ? readFileSync(join(root, name)) : "");
  }
  // Native modules differ by platform and by Node's ABI.
  hash.update(process.platform + process.arch + process.versions.modules);
  return hash.digest("hex");
}

function readStamp() {
  const complete = PACKAGES.every((folder) => existsSync(join(root, folder, "node_modules")));
  return complete && existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
}

async function install() {
  const args = ["install", "--frozen-lockfile", "--prod=false"];
  const version = await exec("pnpm", ["--version"]).catch(() => "");
  return version.startsWith("10.") ? exec("pnpm", args) : exec("npx", ["--yes", packageManager, ...args]);
}

/**
 * @param {string} command
 * @param {string[]} args
 */
async function exec(command, args) {
  // CI=true: never prompt. No NODE_ENV: production would leave out the build tools.
  const { NODE_ENV: _, ...inherited } = process.env;
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: root,
    env: { ...inherited, CI: "true" },
    // Windows needs a shell, because npx and pnpm are .cmd files there; the arguments are constants.
    shell: process.platform === "win32",
    maxBuffer: 2 ** 28,
  });
  return stdout;
}

/** @param {string} output */
function whyInstallFailed(output) {
  const reasons = [
    [/ENOSPC|no space left/i, "The disk is full: free about 2 GB"],
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ERR_PNPM_META_FETCH_FAIL/,
      "The npm registry does not respond: check the network (npm ping)",
    ],
    [/ERR_PNPM_OUTDATED_LOCKFILE/, "pnpm-lock.yaml does not match package.json: run `npx pnpm@10 install`"],
    [
      /EACCES|EPERM|EROFS/,
      "The packages could not be written: fix the permissions of the folder named above",
    ],
    [/(?:)/, "The packages could not be installed (see above): fix that"],
  ];
  const [, reason] = reasons.find(([pattern]) => /** @type {RegExp} */ (pattern).test(output)) ?? [];
  return `${reason}, then run the command again.`;
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
