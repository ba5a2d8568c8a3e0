import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The accounts of the Auth emulator, in the form in which it returns and takes them: passwords hashed, claims and all. */
export type Accounts = {
  users: { localId: string; email?: string; passwordHash?: string; validSince?: string }[];
};

/** The emulator keeps accounts in memory; this file keeps them between starts. */
const fileOf = (dataDir: string) => join(dataDir, "auth", "accounts.json");

/** Reads the accounts of a data folder; every acknowledged change is among them, even while the product runs. */
export function readAccounts(dataDir: string): Accounts | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), "utf8")) as Accounts;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces the accounts of a data folder in one step: a crash at any moment leaves the old or the new ones. */
export function writeAccounts(dataDir: string, accounts: Accounts): void {
  const file = fileOf(dataDir);
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.new`;
  writeFileSync(fresh, JSON.stringify(accounts), { flush: true });
  renameSync(fresh, file);
  if (process.platform === "win32") return;
  // The rename itself is on disk only when the folder is.
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** All accounts of a project, from a running emulator. */
export async function exportAccounts(host: string, projectId: string): Promise<Accounts> {
  const { users = [] } = (await call(host, projectId, "batchGet?maxResults=-1")) as Partial<Accounts>;
  return { users };
}

/** Adds accounts to a running emulator. Their sessions stay valid. */
export async function importAccounts(host: string, projectId: string, { users }: Accounts): Promise<void> {
  if (users.length === 0) return;
  await call(host, projectId, "batchCreate", { users });
  // batchCreate sets this to the present, which revokes all earlier sessions.
  for (const { localId, validSince } of users)
    if (validSince) await call(host, projectId, "update", { localId, validSince });
}

async function call(host: string, projectId: string, method: string, body?: object): Promise<unknown> {
  const url = `http://${host}/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:${method}`;
  const response = await fetch(url, {
    method: body ? "POST" : "GET",
    headers: { authorization: "Bearer owner", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The Auth emulator refused ${method}: ${await response.text()}`);
  return response.json();
}
