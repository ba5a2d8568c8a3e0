import { chmodSync, mkdirSync } from "node:fs";

/** Creates a folder, if it does not exist, that only this user can enter: what is in it holds passwords and messages. */
export function privateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/** The mode of a file that only this user can read. */
export const PRIVATE_FILE = 0o600;
