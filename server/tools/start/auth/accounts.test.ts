import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testFirebase } from "../../../test/harness.ts";
import { exportAccounts, importAccounts, readAccounts, writeAccounts } from "./accounts.ts";

// Each project has its own accounts, even in the emulator that all tests share.
const project = () => `demo-${randomUUID().slice(0, 8)}`;
const { emulatorHost = "" } = testFirebase();
const dataDir = mkdtempSync(join(tmpdir(), "tasklane-accounts-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function logIn(projectId: string, email: string, password: string): Promise<number> {
  const url = `http://${emulatorHost}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`;
  const headers = { "content-type": "application/json", authorization: "Bearer owner" };
  const body = JSON.stringify({ email, password, targetProjectId: projectId });
  return (await fetch(url, { method: "POST", headers, body })).status;
}

/** Asks the emulator for all accounts, as a page of that origin, which reached it by that name. */
async function listAccounts(origin: string | undefined, host = emulatorHost): Promise<number | undefined> {
  const path = `/identitytoolkit.googleapis.com/v1/projects/${project()}/accounts:query`;
  const headers = {
    host,
    authorization: "Bearer owner",
    "content-type": "application/json",
    ...(origin !== undefined && { origin }),
  };
  const asked = request(`http://${emulatorHost}${path}`, { method: "POST", headers });
  const responded = once(asked, "response");
  asked.end("{}");
  const [response] = (await responded) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test.each([
  ["the product's own page, through its proxy", "http://localhost:3000", "localhost:3000", 200],
  ["a program", undefined, undefined, 200],
  ["another site's page", "https://evil.example", undefined, 403],
  ["another site's page, through the product's proxy", "https://evil.example", "localhost:3000", 403],
  ["a page whose origin is hidden", "null", undefined, 403],
  ["a page whose name was made to lead here", "http://evil.example:9099", "evil.example:9099", 403],
  ["the same, with a request that has no origin", undefined, "evil.example:9099", 403],
])(
  "When %s asks the emulator for its accounts, then the status is right",
  async (_, origin, host, status) => {
    expect(await listAccounts(origin, host)).toBe(status);
  },
);

test("When accounts are written, then no other user of the machine can read them", () => {
  writeAccounts(dataDir, { users: [] });
  const modes = ["auth", "auth/accounts.json"].map((path) => statSync(join(dataDir, path)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
});

test("When accounts are written and imported again, then they keep password, claims, verified address and sessions", async () => {
  const [from, to] = [project(), project()];
  const user = {
    localId: "ada",
    email: "ada@people.example",
    rawPassword: "Secret-pass-1",
    displayName: "Ada",
    emailVerified: true,
    customAttributes: '{"admin":true}',
    validSince: "1700000000",
  };
  await importAccounts(emulatorHost, from, { users: [user] });
  const exported = await exportAccounts(emulatorHost, from);
  writeAccounts(dataDir, exported);
  expect(readAccounts(dataDir)).toEqual(exported);
  await importAccounts(emulatorHost, to, readAccounts(dataDir) ?? { users: [] });
  const { rawPassword: _, ...kept } = user;
  const imported = await exportAccounts(emulatorHost, to);
  expect(imported.users).toEqual([expect.objectContaining(kept)]);
  expect(imported.users[0]).toMatchObject({
    passwordHash: exported.users[0]?.passwordHash,
  });
  expect(await logIn(to, user.email, user.rawPassword)).toBe(200);
});

test("When nothing was ever stored, then there are no accounts, and an empty project can be exported and imported", async () => {
  expect(readAccounts(join(dataDir, "other"))).toBeUndefined();
  const empty = await exportAccounts(emulatorHost, project());
  expect(empty).toEqual({ users: [] });
  await importAccounts(emulatorHost, project(), empty);
});

test("When a write was interrupted, then the previous accounts are read", () => {
  writeAccounts(dataDir, { users: [{ localId: "before" }] });
  writeFileSync(join(dataDir, "auth", "accounts.json.new"), '{"users":[{"loc');
  expect(readAccounts(dataDir)).toEqual({ users: [{ localId: "before" }] });
});
