import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { acquireDatabase, releaseDatabase, testUri } from "../../test/harness.ts";
import { SERVER } from "../lib/paths.ts";
import { productEnv } from "../lib/product-env.ts";
import { buildServer } from "./build-product.ts";

test("When the server is built, then it runs without installed packages, and includes their licences", async () => {
  await buildServer();
  const folder = mkdtempSync(join(tmpdir(), "tasklane-built-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const part of ["dist", "package.json"])
    cpSync(join(SERVER, part), join(folder, "server", part), { recursive: true });

  const url = await startBuilt(join(folder, "server/dist/main.js"));
  expect(await (await fetch(`${url}/tasks`)).json()).toEqual([]);
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"])
    expect((await fetch(`${url}/api-docs/${file}`)).status).toBe(200);
  const licences = readFileSync(join(folder, "server/dist/licences.md"), "utf8");
  for (const name of ["express", "firebase-admin", "mongodb"]) expect(licences).toContain(`## ${name} - `);
});

/** Starts the built product in its own process, with its own database. @returns its URL. */
async function startBuilt(program: string): Promise<string> {
  const { uri, dbName } = await acquireDatabase(testUri());
  const mongoUri = new URL(uri);
  mongoUri.pathname = `/${dbName}`;
  const settings = {
    NODE_ENV: "production",
    MONGODB_URI: mongoUri.href,
    FIREBASE_PROJECT_ID: "demo-tasklane",
  };
  const child = spawn(process.execPath, [program], { env: productEnv({ ...settings, PORT: "0" }) });
  const gone = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await gone;
    releaseDatabase({ uri, dbName });
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  await vi.waitFor(() => expect(output).toContain("listens on"), { timeout: 10_000 });
  return /http:\/\/localhost:\d+/.exec(output)?.[0] ?? "";
}
