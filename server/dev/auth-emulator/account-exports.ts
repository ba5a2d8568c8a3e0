import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * The emulator keeps accounts in memory; what lasts are its exports. Each export goes into a fresh folder, and
 * only then the file `current` names it (an atomic rename), so a kill -9 at any moment leaves a whole one.
 */
const KEEP = 2;

/** The kept exports of one data folder. */
export class AccountExports {
  readonly #folder: string;
  #count: number;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#count = Math.max(0, ...this.#names().map(numberOf));
  }

  /** Path of a folder that does not exist yet, for the next export. */
  next(): string {
    this.#count += 1;
    return join(this.#folder, `export-${String(this.#count).padStart(9, "0")}`);
  }

  /** Makes a finished export the current one and removes all but the last two. */
  commit(path: string): void {
    if (!isComplete(path)) throw new Error(`The export of the accounts is incomplete: ${path}`);
    const name = path.slice(this.#folder.length + 1);
    const fresh = join(this.#folder, "current.new");
    writeFileSync(fresh, name, { flush: true });
    renameSync(fresh, join(this.#folder, "current"));
    const older = this.#names().filter((other) => numberOf(other) <= numberOf(name));
    for (const old of older.slice(0, -KEEP))
      rmSync(join(this.#folder, old), { recursive: true, force: true });
  }

  /** The export to import: the current one, or the newest that is whole; `damaged` if that is not the current one. */
  latest(): { path: string | undefined; damaged: boolean } {
    const current = this.#current();
    const newestFirst = this.#names().reverse();
    const candidates = current ? [current, ...newestFirst.filter((name) => name !== current)] : newestFirst;
    const whole = candidates.find((name) => isComplete(join(this.#folder, name)));
    const path = whole ? join(this.#folder, whole) : undefined;
    return { path, damaged: current !== undefined && whole !== current };
  }

  #current(): string | undefined {
    try {
      return readFileSync(join(this.#folder, "current"), "utf8").trim() || undefined;
    } catch {
      return undefined;
    }
  }

  #names(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => /^export-\d{9}$/.test(name))
      .sort();
  }
}

const numberOf = (name: string) => Number(name.slice("export-".length));

function isComplete(path: string): boolean {
  try {
    const accounts = JSON.parse(readFileSync(join(path, "auth_export", "accounts.json"), "utf8")) as unknown;
    JSON.parse(readFileSync(join(path, "auth_export", "config.json"), "utf8"));
    const hasUsers = typeof accounts === "object" && accounts !== null && "users" in accounts;
    return hasUsers && existsSync(join(path, "firebase-export-metadata.json"));
  } catch {
    return false;
  }
}
