import { parseArgs } from "node:util";
import { withCloser } from "../lib/closer.ts";
import { readSettings } from "../lib/settings.ts";
import { UserError } from "../lib/user-error.ts";
import { readAccounts, writeAccounts } from "../start/auth/accounts.ts";
import { claimDataDir } from "../start/data-dir.ts";
import { preventDemoData } from "../start/demo-marker.ts";
import { summary } from "./backup.ts";
import { readBackup } from "./manifest.ts";
import { accountsIn, restoreBackup } from "./restore-backup.ts";
import { folderOf, hasLocalAccounts, openDatabase } from "./target.ts";

/**
 * `npm run restore -- folder`: the reverse of `npm run backup`. `--replace` overwrites existing data. The embedded product
 * has to be stopped, so that nothing else writes to its data folder.
 */
export async function main(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { replace: { type: "boolean", default: false } },
  });
  const folder = folderOf(positionals, "npm run restore -- <folder of a backup> [--replace]");
  const settings = readSettings();
  const { mongoUri, dataDir } = settings;
  await withCloser(async (closer) => {
    if (!mongoUri) claimDataDir(dataDir, closer, "npm run restore");
    const backup = readBackup(folder);
    const accounts = hasLocalAccounts(settings) ? accountsIn(backup) : undefined;
    const stored = accounts && readAccounts(dataDir)?.users.length;
    // They may belong to a product with another database, so an empty database does not mean that nobody needs them.
    if (stored && !values.replace)
      throw new UserError(
        `${dataDir} holds ${stored} accounts: add --replace to replace them by those of the backup.`,
      );
    const address = await openDatabase(settings, closer);
    await restoreBackup(address, backup, values);
    if (!mongoUri) await preventDemoData(address);
    if (accounts) writeAccounts(dataDir, accounts);
    const { accounts: _, ...withoutAccounts } = backup;
    process.stdout.write(`Restored: ${summary(accounts ? backup : withoutAccounts)}\n`);
  });
}
