import { parseArgs } from "node:util";
import { withCloser } from "../lib/closer.ts";
import { readSettings } from "../lib/settings.ts";
import { readAccounts } from "../start/auth/accounts.ts";
import type { Manifest } from "./manifest.ts";
import { folderOf, hasLocalAccounts, openForReading } from "./target.ts";
import { writeBackup } from "./write-backup.ts";

/** `npm run backup -- folder`: backs up MONGODB_URI, or the embedded product whether it is running or not. */
export async function main(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const folder = folderOf(positionals, "npm run backup -- <new folder>");
  const settings = readSettings();
  await withCloser(async (closer) => {
    const address = await openForReading(settings, closer, "npm run backup");
    const withAccounts = hasLocalAccounts(settings);
    const manifest = await writeBackup(
      address,
      folder,
      withAccounts ? () => readAccounts(settings.dataDir) : undefined,
    );
    process.stdout.write(`${summary(manifest)}\nWritten to ${folder}\n`);
    if (!withAccounts)
      process.stdout.write(
        "Without accounts: those of a local Auth emulator stay in its data folder; `firebase auth:export` exports those that live with Firebase.\n",
      );
  });
}

/** Describes the content of a backup in one line. */
export function summary({ collections, accounts, createdAt }: Manifest): string {
  const counts = collections.map(({ name, documents }) => `${documents} ${name}`);
  return `${[...counts, ...(accounts ? [`${accounts.count} accounts`] : [])].join(", ")} as of ${createdAt}`;
}
