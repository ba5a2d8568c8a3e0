import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testFirebase } from "../../test/harness.ts";
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
