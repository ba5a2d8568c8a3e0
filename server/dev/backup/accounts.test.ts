import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testFirebase } from "../../test/harness.ts";
import { type AccountsExport, keepAccounts, readAccounts } from "./accounts.ts";

// Projects keep their accounts apart, also in the emulator that all tests share.
const projectId = `demo-${randomUUID().slice(0, 8)}`;
const { emulatorHost } = testFirebase();
const dataDir = mkdtempSync(join(tmpdir(), "tasklane-accounts-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function call(path: string, body?: object): Promise<AccountsExport["accounts"]> {
  const answer = await fetch(
    `http://${emulatorHost}/identitytoolkit.googleapis.com/v1/projects/${projectId}/${path}`,
    {
      method: body ? "POST" : "GET",
      headers: { authorization: "Bearer owner", "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    },
  );
  return (await answer.json()) as AccountsExport["accounts"];
}

const signUp = (email: string) => call("accounts", { email, password: "Secret-pass-1", displayName: "Ada" });
const stored = () => call("accounts:batchGet?maxResults=-1");

test("When accounts are kept in a data folder, then a backup reads the very same, passwords and all", async () => {
  await signUp("kept@people.example");
  const backup = { accounts: await stored(), config: { signIn: {} }, metadata: { version: "1" } };
  expect(backup.accounts.users[0]).toHaveProperty("passwordHash");
  keepAccounts(dataDir, backup);
  expect(readAccounts(dataDir)).toEqual(backup);
});

test("When nothing was ever kept, then there is nothing to read", () => {
  expect(readAccounts(join(dataDir, "other"))).toBeUndefined();
});
