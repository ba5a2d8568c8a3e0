import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { shippedPackages } from "../supply-chain/installed.ts";
import { lockedChecksums } from "../supply-chain/lock-file.ts";
import { softwareBill } from "../supply-chain/sbom.ts";

/** `npm run sbom [-- file]`: the software bill of materials (CycloneDX 1.6), to a file or to the terminal. */
export async function main(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [name] = positionals;
  const shipped = shippedPackages();
  const text = `${softwareBill(shipped, lockedChecksums())}\n`;
  if (name === undefined) {
    process.stdout.write(text);
    return;
  }
  const file = resolve(process.env["INIT_CWD"] ?? ".", name);
  writeFileSync(file, text);
  process.stdout.write(`${shipped.packages.length} packages that ship are listed in ${file}\n`);
}
