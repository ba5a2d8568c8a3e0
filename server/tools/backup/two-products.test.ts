import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { collectionsOf } from "../../src/db/collections.ts";
import { aTaskDoc } from "../../test/builders.ts";
import { TOOLS } from "../lib/paths.ts";
import { freePort } from "../lib/ports.ts";
import { readAccounts, writeAccounts } from "../start/auth/accounts.ts";
import { memoryFolder } from "../start/mongo/start-mongo.ts";

// Starts and stops the services of `npm start`, which is slow on a busy machine: an emulator takes 7 s of processor time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });
const SOON = { timeout: 15_000 };

type Product = {
  dataDir: string;
  process: ChildProcess;
  emulatorHost: string;
  mongoUri: string;
  client: MongoClient;
};

const work = mkdtempSync(join(await memoryFolder(), "tasklane-two-"));
const backup = join(work, "backup");
let one: Product;
let other: Product;

/** Starts a Node process with the settings of one product. */
function node(args: string[], dataDir: string, emulatorHost: string, more: object = {}): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: TOOLS,
    // Empty variables override a developer's .env.
    env: {
      ...process.env,
      ...{ MONGODB_URI: "", VITE_FIREBASE_API_KEY: "", PORT: "" },
      ...{ DATA_DIR: dataDir, FIREBASE_AUTH_EMULATOR_HOST: emulatorHost },
      ...more,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
}

const SERVICES = `
  import { claimDataDir, startServices } from "./start/embedded.ts";
  import { Closer } from "./lib/closer.ts";
  import { readSettings } from "./lib/settings.ts";
  const closer = new Closer();
  closer.closeOnSignal();
  process.once("disconnect", () => closer.close().then(() => process.exit()));
  const settings = { ...readSettings(), seed: false };
  if (process.env.WITHOUT_EMULATOR) settings.emulatorPort = undefined;
  claimDataDir(settings, closer, "npm start");
  process.send(await startServices(settings, closer));
`;

/** Starts the services of `npm start` on their own data folder and ports. */
async function startProduct(name: string, more: object = {}): Promise<Product> {
  const dataDir = join(work, name);
  const emulatorHost = `127.0.0.1:${await freePort()}`;
  const child = node(["--import", "tsx", "--input-type=module", "-e", SERVICES], dataDir, emulatorHost, more);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const ended = once(child, "close").then(() => Promise.reject(new Error(output)));
  const [{ mongoUri }] = (await Promise.race([once(child, "message"), ended])) as [{ mongoUri: string }];
  ended.catch(() => undefined);
  return { dataDir, process: child, emulatorHost, mongoUri, client: new MongoClient(mongoUri) };
}

/** Runs a command on the first product's data folder, with the other product's emulator in the settings. */
async function command(name: "backup" | "restore" | "verify", args: string[] = [], more: object = {}) {
  const child = node(["bootstrap.mjs", name, ...args], one.dataDir, other.emulatorHost, more);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const [exitCode] = (await once(child, "close")) as [number];
  return { exitCode, output };
}

async function signUp(product: Product, email: string): Promise<void> {
  const url = `http://${product.emulatorHost}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`;
  const body = JSON.stringify({ email, password: "Secret-pass-1" });
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(response.status, await response.text()).toBe(200);
}

/** Replaces the stored accounts of the first product. */
function store(...emails: string[]): void {
  const users = emails.map((email) => ({ localId: email, email }));
  writeAccounts(one.dataDir, { users });
}

const tasksOf = ({ client }: Product) => collectionsOf(client.db()).tasks;

/** The stored accounts of a product, by email. */
function storedAccounts({ dataDir }: Pick<Product, "dataDir">): string[] {
  const { users = [] } = readAccounts(dataDir) ?? {};
  return users.map((user) => user.email ?? "").sort();
}

beforeAll(async () => {
  // The first product needs no emulator: a restore writes accounts to its data folder.
  [one, other] = await Promise.all([startProduct("one", { WITHOUT_EMULATOR: "1" }), startProduct("other")]);
  store("ada@one.example");
  await signUp(other, "bob@other.example");
  await tasksOf(one).insertOne(aTaskDoc({ title: "Of the first" }));
  await tasksOf(other).insertOne(aTaskDoc({ title: "Of the other" }));
});

afterAll(async () => {
  // A product that failed to start has already reported why.
  for (const product of [one, other].filter(Boolean)) {
    await product.client.close();
    if (product.process.exitCode !== null) continue;
    product.process.kill("SIGTERM");
    await once(product.process, "exit");
  }
  rmSync(work, { recursive: true });
});

// The tests depend on their order: the fourth one stops the first product.
describe("two products on one machine", { shuffle: false }, () => {
  test("When two products run on one machine, then backup and verify read that of the configured data folder", async () => {
    expect(await command("backup", [backup])).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/\b1 tasks, 1 accounts\b/),
    });
    expect(await command("verify")).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining("1 tasks"),
    });
  });

  test("When another product's database has got the stored port, then nothing is read from it", async () => {
    const file = join(one.dataDir, "mongo", "last-start.json");
    const written = readFileSync(file, "utf8");
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(written), port: other.client.options.hosts[0]?.port }),
    );
    for (const [name, ...args] of [["backup", join(work, "wrong")], ["verify"]] as const)
      expect(await command(name, args)).toMatchObject({
        exitCode: 1,
        output: expect.stringContaining("but its database does not respond"),
      });
    writeFileSync(file, written);
  });

  test("When MONGODB_URI names another database, then the data folder's product and accounts are left alone", async () => {
    const folder = join(work, "elsewhere");
    const elsewhere = { MONGODB_URI: other.mongoUri };
    const saved = await command("backup", [folder], elsewhere);
    expect(saved).toMatchObject({ exitCode: 0, output: expect.stringMatching(/\b1 tasks as of/) });
    const restored = await command("restore", [backup, "--replace"], elsewhere);
    expect(restored).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^Restored: .*\b1 tasks as of/m),
    });
    expect(await tasksOf(other).findOne()).toMatchObject({ title: "Of the first" });
    expect([one.process.exitCode, storedAccounts(one)]).toEqual([null, ["ada@one.example"]]);
    expect(await command("restore", [folder, "--replace"], elsewhere)).toMatchObject({ exitCode: 0 });
  });

  test("When the product is running, then a restore fails; with --replace it stops the product, and only that one", async () => {
    store("ada@one.example", "late@one.example");
    await signUp(other, "carl@other.example");
    await tasksOf(one).insertOne(aTaskDoc({ title: "After the backup" }));
    expect(await command("restore", [backup])).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining(`(npm start, process ${one.process.pid}): stop it with Ctrl-C`),
    });
    expect(await tasksOf(one).countDocuments()).toBe(2);

    expect(await command("restore", [backup, "--replace"])).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/Stopping Tasklane on .*\/one .*Restored: .*1 accounts.*`npm start`/s),
    });
    expect(one.process.exitCode).toBe(0);
    expect(storedAccounts(one)).toEqual(["ada@one.example"]);
    await expect.poll(() => storedAccounts(other), SOON).toEqual(["bob@other.example", "carl@other.example"]);
    expect(await tasksOf(other).findOne()).toMatchObject({ title: "Of the other" });

    const verified = await command("verify");
    expect(verified).toMatchObject({ exitCode: 0, output: expect.stringContaining("1 tasks") });
  });

  test("When a restored product starts, then its database is marked so that no demo data is loaded into it", async () => {
    await one.client.close();
    one = await startProduct("one", { WITHOUT_EMULATOR: "1" });
    const meta = one.client.db().collection<{ _id: string }>("meta");
    expect(await meta.findOne({ _id: "demo-data" })).toMatchObject({ doneAt: expect.any(Date) });
  });

  test("When the data folder holds accounts of a product with another database, then only --replace replaces them", async () => {
    const dataDir = join(work, "third");
    const third = { DATA_DIR: dataDir };
    writeAccounts(dataDir, { users: [{ localId: "eve", email: "eve@third.example" }] });
    expect(await command("restore", [backup], third)).toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(/holds 1 accounts.*--replace/),
    });
    expect(storedAccounts({ dataDir })).toEqual(["eve@third.example"]);
    expect(await command("restore", [backup, "--replace"], third)).toMatchObject({ exitCode: 0 });
    expect(storedAccounts({ dataDir })).toEqual(["ada@one.example"]);
  });
});
