import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { withCloser } from "../lib/closer.ts";
import { readSettings } from "../lib/settings.ts";
import { UserError } from "../lib/user-error.ts";
import { readAccounts, writeAccounts } from "../start/auth/accounts.ts";
import { preventDemoData } from "../start/demo.ts";
import { summary } from "./backup.ts";
import { readBackup } from "./manifest.ts";
import { accountsIn, restoreBackup } from "./restore-backup.ts";
import { hasLocalAccounts, openForRestore } from "./target.ts";

/**
 * `npm run restore -- folder`: the reverse of `npm run backup`. `--replace` overwrites existing data, and first stops the
 * embedded product if it is running, so that nothing else writes to its data folder.
 */
export async function main(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { replace: { type: "boolean", default: false } },
  });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1)
    throw new UserError("Usage: npm run restore -- <folder of a backup> [--replace]");
  const folder = resolve(process.env["INIT_CWD"] ?? ".", name);
  const settings = readSettings();
  await withCloser(async (closer) => {
    // First, so that no product is stopped for a backup that cannot be restored.
    const backup = await readBackup(folder);
    const { address, stopped } = await openForRestore(settings, closer, values);
    const stored = hasLocalAccounts(settings) ? readAccounts(settings.dataDir)?.users.length : 0;
    // They may belong to a product with another database, so an empty database does not mean that nobody needs them.
    if (stored && backup.accounts && !values.replace)
      throw new UserError(
        `${settings.dataDir} holds ${stored} accounts: add --replace to replace them by those of the backup.`,
      );
    const manifest = await restoreBackup(address, folder, values);
    if (!settings.mongoUri) await preventDemoData(address);
    const { accounts: _, ...withoutAccounts } = manifest;
    const accounts = hasLocalAccounts(settings) ? accountsIn(folder, manifest) : undefined;
    if (accounts) writeAccounts(settings.dataDir, accounts);
    process.stdout.write(`Restored: ${summary(accounts ? manifest : withoutAccounts)}\n`);
    if (stopped) process.stdout.write(`Start the product again with \`${stopped}\`.\n`);
  });
}
