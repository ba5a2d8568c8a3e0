import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PRIVATE_FILE, privateFolder } from "../../lib/private-folder.ts";

/** Accounts as the Auth emulator exports and imports them, with more fields such as claims; we read these. */
export type Accounts = {
  users: { localId: string; email?: string; passwordHash?: string; validSince?: string }[];
};

/** The emulator holds accounts in memory only; this file stores them between starts. */
const fileOf = (dataDir: string) => join(dataDir, "auth", "accounts.json");

/** Reads the stored accounts of a data folder, with every acknowledged change, even while the product is running. */
export function readAccounts(dataDir: string): Accounts | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), "utf8")) as Accounts;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces the stored accounts of a data folder atomically: a crash leaves either the old or the new ones. */
export function writeAccounts(dataDir: string, accounts: Accounts): void {
  const file = fileOf(dataDir);
  privateFolder(dirname(file));
  const fresh = `${file}.new`;
  writeFileSync(fresh, JSON.stringify(accounts), { flush: true, mode: PRIVATE_FILE });
  renameSync(fresh, file);
  if (process.platform === "win32") return;
  // The rename is durable only once the folder itself is synced.
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** Reads all accounts of a project from a running emulator. */
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
