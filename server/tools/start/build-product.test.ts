import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadEnv } from "vite";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { acquireDatabase, releaseDatabase, testUri } from "../../test/harness.ts";
import { startServer } from "../../test/server-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { SERVER } from "../lib/paths.ts";
import { buildForE2e, CLIENT_SOURCES, E2E_WEB_ROOT } from "./build-product.ts";

const WEB_URL = "https://tasklane.example";

// Reuses the browser tests' web app, so that only changed sources are built.
beforeAll(buildForE2e, 120_000);

test("When the server is built, then it runs without installed packages, and includes their licences", async () => {
  const folder = temporaryFolder();
  for (const part of ["dist", "package.json"])
    cpSync(join(SERVER, part), join(folder, "server", part), { recursive: true });

  const url = await startBuilt(join(folder, "server/dist/main.js"), {
    NODE_ENV: "production",
    FIREBASE_PROJECT_ID: "demo-tasklane",
    WEB_URL,
  });
  expect(await (await fetch(`${url}/tasks`)).json()).toEqual([]);
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"])
    expect((await fetch(`${url}/api-docs/${file}`)).status).toBe(200);
  const licences = readFileSync(join(folder, "server/dist/licences.md"), "utf8");
  for (const name of ["express", "firebase-admin", "mongodb"]) expect(licences).toContain(`## ${name} - `);
});

test("When the production commands of DEPLOY.md are run, then the product links to its public origin", async () => {
  const text = readFileSync(join(SERVER, "deploy/DEPLOY.md"), "utf8");
  const [, ...lines] = /```sh\n(.+)\n(NODE_ENV=production .+)\n```/.exec(text) ?? [];
  const [build, run] = lines.map(parseCommand);
  expect(build?.program).toBe("npm run build");
  expect(run?.program).toBe("node server/dist/main.js");
  const folder = temporaryFolder();
  for (const name of ["server", "client"]) mkdirSync(join(folder, name));
  symlinkSync(join(SERVER, "dist"), join(folder, "server/dist"));
  symlinkSync(E2E_WEB_ROOT, join(folder, "client/dist"));

  const url = await startBuilt("server/dist/main.js", run?.variables ?? {}, folder);
  const read = async (path: string) => (await fetch(url + path)).text();
  // A page that a busy machine does not render in time is sent as it was built, which was for another origin.
  await expect
    .poll(() => read("/browsetask"), { timeout: 30_000 })
    .toContain(`<link rel="canonical" href="${WEB_URL}/browsetask"`);
  for (const path of ["/robots.txt", "/sitemap.xml", "/tasks.atom"]) {
    const text = await read(path);
    expect(text, path).toContain(WEB_URL);
    expect(text, path).not.toContain("localhost");
  }
});

test("When a file changes from which Vite reads variables, then the web app is built again", () => {
  const folder = temporaryFolder();
  for (const [at, kind] of ["", ".local", ".production", ".production.local", ".development"].entries())
    writeFileSync(join(folder, `.env${kind}`), `FROM_${at}=.env${kind}`);
  const read = Object.values(loadEnv("production", folder, "FROM_"));
  expect(read).toContain(".env.production.local");
  expect(CLIENT_SOURCES).toEqual(expect.arrayContaining(read));
});

/** Splits a shell command into its variables, with values instead of placeholders, and the rest. */
function parseCommand(line: string): { variables: Record<string, string>; program: string } {
  const [, assignments = "", program = ""] = /^((?:\w+=\S* )*)([^#]*)/.exec(line) ?? [];
  const given = assignments
    .trim()
    .split(" ")
    .map((text) => text.split("=", 2) as [string, string]);
  const values: Record<string, string> = { WEB_URL, FIREBASE_PROJECT_ID: "demo-tasklane" };
  const variables = given.map(([name, value]) => [
    name,
    value?.includes("…") ? (values[name] ?? "x") : value,
  ]);
  return { variables: Object.fromEntries(variables), program: program.trim() };
}

/** Starts the built product in its own process, with its own database. @returns its URL. */
async function startBuilt(program: string, variables: Record<string, string>, cwd?: string): Promise<string> {
  const address = await acquireDatabase(testUri());
  const mongoUri = new URL(address.uri);
  mongoUri.pathname = `/${address.dbName}`;
  const { child, url } = await startServer({ ...variables, MONGODB_URI: mongoUri.href }, { program, cwd });
  onTestFinished(async () => {
    const gone = once(child, "close");
    child.kill("SIGTERM");
    await gone;
    releaseDatabase(address);
  });
  return url;
}
