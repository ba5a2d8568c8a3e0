import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { collectionsOf } from "../../src/db/collections.ts";
import { aTaskDoc, logIn, type Person, signUp, testFirebase, testUri } from "../../test/index.ts";
import { Closer } from "../lib/closer.ts";
import { TOOLS } from "../lib/paths.ts";
import { explain } from "../lib/user-error.ts";
import { readAccounts, writeAccounts } from "../start/auth/accounts.ts";
import { memoryFolder } from "../start/mongo/start-mongo.ts";
import { main as backup } from "./backup.ts";
import { main as restore } from "./restore.ts";

// Starts and stops a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const work = mkdtempSync(join(await memoryFolder(), "tasklane-two-"));
const saved = join(work, "backup");
const dataDir = join(work, "one");

/** The product on the configured data folder. It needs no emulator, because a restore writes accounts to the folder. */
let one: { process: ChildProcess; client: MongoClient };

/** The other product on this machine: its emulator is the one that the settings name. */
const otherUri = new URL(testUri());
otherUri.pathname = `/other-${randomUUID()}`;
const other = new MongoClient(otherUri.href);
let bob: Person;

/** The settings of the first product; empty ones override a developer's .env. */
const settings = () => ({
  ...{ MONGODB_URI: "", VITE_FIREBASE_API_KEY: "", PORT: "" },
  ...{ DATA_DIR: dataDir, FIREBASE_AUTH_EMULATOR_HOST: testFirebase().emulatorHost },
});

const PRODUCT = `
  import { Closer } from "./lib/closer.ts";
  import { claimDataDir } from "./start/data-dir.ts";
  import { startMongo } from "./start/mongo/start-mongo.ts";
  const { DATA_DIR: dataDir } = process.env;
  const closer = new Closer();
  closer.closeOnSignal();
  process.once("disconnect", () => closer.close().then(() => process.exit()));
  claimDataDir(dataDir, closer, "npm start");
  const { uri } = await closer.track(startMongo({ dataDir }), (mongo) => mongo.stop());
  process.send(uri);
`;

/** Starts the database of `npm start` on the first product's data folder. */
async function startProduct(): Promise<typeof one> {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", PRODUCT], {
    cwd: TOOLS,
    env: { ...process.env, ...settings() },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const ended = once(child, "close").then(() => Promise.reject(new Error(output)));
  const [uri] = (await Promise.race([once(child, "message"), ended])) as [string];
  ended.catch(() => undefined);
  return { process: child, client: new MongoClient(uri) };
}

/** Runs a command on the first product's data folder, with the other product's emulator in the settings. */
async function command(main: (args: string[]) => Promise<void>, args: string[] = [], more: object = {}) {
  for (const [variable, value] of Object.entries({ ...settings(), ...more })) vi.stubEnv(variable, value);
  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  // Signals are for the tests.
  const listening = vi.spyOn(Closer.prototype, "closeOnSignal").mockReturnValue();
  try {
    const error = await main(args).catch(explain);
    return { error, output: printed.mock.calls.flat().join("") };
  } finally {
    printed.mockRestore();
    listening.mockRestore();
    vi.unstubAllEnvs();
  }
}

const tasksOf = (client: MongoClient) => collectionsOf(client.db()).tasks;

/** Replaces the accounts that are stored in a data folder. */
function store(folder: string, ...emails: string[]): void {
  writeAccounts(folder, { users: emails.map((email) => ({ localId: email, email })) });
}

const storedAccounts = (folder: string) => readAccounts(folder)?.users.map(({ email }) => email);

beforeAll(async () => {
  one = await startProduct();
  store(dataDir, "ada@one.example");
  bob = await signUp();
  await tasksOf(one.client).insertOne(aTaskDoc({ title: "Of the first" }));
  await tasksOf(other).insertOne(aTaskDoc({ title: "Of the other" }));
});

afterAll(async () => {
  await other.db().dropDatabase();
  await other.close();
  // A product that failed to start has already reported why.
  await one?.client.close();
  if (one?.process.exitCode === null) {
    one.process.kill("SIGTERM");
    await once(one.process, "exit");
  }
  rmSync(work, { recursive: true });
});

// The tests depend on their order: the last but three stops the first product.
describe("two products on one machine", { shuffle: false }, () => {
  test("When two products run on one machine, then backup and verify read that of the configured data folder", async () => {
    expect(await command(backup, [saved])).toMatchObject({
      error: undefined,
      output: expect.stringMatching(/\b1 tasks, 1 accounts\b/),
    });
    // As it is typed.
    const verify = ["bootstrap.mjs", "verify"];
    const env = { ...process.env, ...settings() };
    const { stdout } = await promisify(execFile)(process.execPath, verify, { cwd: TOOLS, env });
    expect(stdout).toContain("1 tasks");
  });

  test("When another product's database has got the stored port, then nothing is read from it", async () => {
    const file = join(dataDir, "mongo", "last-start.json");
    const written = readFileSync(file, "utf8");
    // No process has this id.
    writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, port: Number(otherUri.port) }));
    expect(await command(backup, [join(work, "wrong")])).toMatchObject({
      error: expect.stringContaining("but its database does not respond"),
    });
    writeFileSync(file, written);
  });

  test("When MONGODB_URI names another database, then the data folder's product and accounts are left alone", async () => {
    const elsewhere = { MONGODB_URI: otherUri.href };
    expect(await command(backup, [join(work, "elsewhere")], elsewhere)).toMatchObject({
      error: undefined,
      output: expect.stringMatching(/\b1 tasks as of/),
    });
    const restored = await command(restore, [saved, "--replace"], elsewhere);
    expect(restored).toMatchObject({
      error: undefined,
      output: expect.stringMatching(/^Restored: .*\b1 tasks as of/m),
    });
    expect(await tasksOf(other).findOne()).toMatchObject({ title: "Of the first" });
    expect([one.process.exitCode, storedAccounts(dataDir)]).toEqual([null, ["ada@one.example"]]);
  });

  test("When the product is running, then a restore fails, also with --replace", async () => {
    expect(await command(restore, [saved, "--replace"])).toMatchObject({
      error: expect.stringContaining(`(npm start, process ${one.process.pid}): stop it there with Ctrl-C`),
    });
    expect(await tasksOf(one.client).findOne()).toMatchObject({ title: "Of the first" });
  });

  test("When the product is stopped, then --replace restores its tasks and accounts, and those of no other product", async () => {
    store(dataDir, "ada@one.example", "late@one.example");
    const late = aTaskDoc({ title: "After the backup" });
    for (const client of [one.client, other]) await tasksOf(client).insertOne(late);
    one.process.kill("SIGTERM");
    await once(one.process, "exit");
    expect(await command(restore, [saved, "--replace"])).toMatchObject({
      error: undefined,
      output: expect.stringMatching(/^Restored: .*\b1 tasks\b.*\b1 accounts\b/m),
    });
    expect(storedAccounts(dataDir)).toEqual(["ada@one.example"]);
    expect(await logIn(bob)).toMatchObject({ uid: bob.uid });
    expect(await tasksOf(other).countDocuments()).toBe(2);
  });

  test("When the product is stopped, then a backup starts its database; the restored one is marked to get no demo data", async () => {
    const folder = join(work, "restored");
    expect(await command(backup, [folder])).toMatchObject({
      error: undefined,
      output: expect.stringMatching(/\b1 tasks\b.*\b1 accounts\b/),
    });
    const meta = gunzipSync(readFileSync(join(folder, "meta.ndjson.gz"))).toString();
    expect(meta).toMatch(/"demo-data".*"doneAt"/);
  });

  test("When the data folder holds accounts of a product with another database, then only --replace replaces them", async () => {
    const third = join(work, "third");
    store(third, "eve@third.example");
    expect(await command(restore, [saved], { DATA_DIR: third })).toMatchObject({
      error: expect.stringMatching(/holds 1 accounts.*--replace/),
    });
    expect(storedAccounts(third)).toEqual(["eve@third.example"]);
  });
});
