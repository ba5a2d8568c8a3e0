import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { accountsOf, keepAccounts, replaceAccounts } from "../backup/accounts.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { openTarget } from "../backup/target.ts";
import { Closer } from "../lib/closer.ts";
import { readSettings } from "../lib/settings.ts";
import { UserError } from "../lib/user-error.ts";
import { summary } from "./backup.ts";

/** `npm run restore -- folder`: the reverse of `npm run backup`; `--replace` where there is something already. */
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
  const closer = new Closer();
  closer.closeOnSignal(1);
  try {
    const { address, running } = await openTarget(settings, closer);
    const manifest = await restoreBackup(address, folder, { replace: values.replace });
    const accounts = accountsOf(folder, manifest);
    const { emulatorPort, dataDir, projectId } = settings;
    if (accounts && emulatorPort !== undefined) {
      if (running) await replaceAccounts(`127.0.0.1:${emulatorPort}`, projectId, accounts);
      else keepAccounts(dataDir, accounts);
    }
    process.stdout.write(`Restored: ${summary(manifest)}\n`);
  } finally {
    await closer.close();
  }
}
