import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { AccountExports } from "../auth-emulator/account-exports.ts";
import type { Manifest } from "./manifest.ts";

/** The accounts of the embedded Auth emulator, in the form of its own exports. */
export type AccountsExport = { accounts: { users: object[] }; config: object; metadata: object };

const FILES = {
  accounts: join("auth_export", "accounts.json"),
  config: join("auth_export", "config.json"),
  metadata: "firebase-export-metadata.json",
} as const;

/** Reads the accounts that are kept in a data folder; every acknowledged change is in there, also while it runs. */
export function readAccounts(dataDir: string): AccountsExport | undefined {
  const exports = new AccountExports(join(dataDir, "auth", "accounts"));
  const { path } = exports.latest();
  if (path === undefined) return undefined;
  const read = (file: string) => JSON.parse(readFileSync(join(path, file), "utf8")) as never;
  return { accounts: read(FILES.accounts), config: read(FILES.config), metadata: read(FILES.metadata) };
}

/** Reads the accounts out of a backup, whose checksums were compared before. */
export function accountsOf(folder: string, manifest: Manifest): AccountsExport | undefined {
  if (!manifest.accounts) return undefined;
  return JSON.parse(
    gunzipSync(readFileSync(join(folder, manifest.accounts.file))).toString(),
  ) as AccountsExport;
}

/** Keeps the accounts in a data folder on which nothing runs: the next start has them. */
export function keepAccounts(dataDir: string, restored: AccountsExport): void {
  const exports = new AccountExports(join(dataDir, "auth", "accounts"));
  const path = exports.next();
  mkdirSync(join(path, "auth_export"), { recursive: true });
  for (const name of ["accounts", "config", "metadata"] as const)
    writeFileSync(join(path, FILES[name]), JSON.stringify(restored[name]), { flush: true });
  exports.commit(path);
}
