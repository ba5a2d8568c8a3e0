import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AccountExports } from "./account-exports.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tasklane-exports-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, accounts = '{"users":[]}'): string {
  mkdirSync(join(path, "auth_export"), { recursive: true });
  writeFileSync(join(path, "auth_export", "accounts.json"), accounts);
  writeFileSync(join(path, "auth_export", "config.json"), "{}");
  writeFileSync(join(path, "firebase-export-metadata.json"), "{}");
  return path;
}

function commitOne(exports: AccountExports): string {
  const path = write(exports.next());
  exports.commit(path);
  return path;
}

test("When nothing was exported yet, then there is nothing to import", () => {
  expect(new AccountExports(folder).latest()).toEqual({ path: undefined, damaged: false });
});

test("When many are committed, then the last two stay and the last one is imported, also by the next run", () => {
  const exports = new AccountExports(folder);
  const paths = [1, 2, 3, 4].map(() => commitOne(exports));
  expect(readdirSync(folder).filter((name) => name.startsWith("export-"))).toHaveLength(2);
  const nextRun = new AccountExports(folder);
  expect(nextRun.latest()).toEqual({ path: paths[3], damaged: false });
  expect(existsSync(nextRun.next())).toBe(false);
});

test("When the process died in the middle of an export, then the committed one counts", () => {
  const exports = new AccountExports(folder);
  const committed = commitOne(exports);
  mkdirSync(join(exports.next(), "auth_export"), { recursive: true });
  expect(new AccountExports(folder).latest()).toEqual({ path: committed, damaged: false });
});

test("When the current one is damaged, then the one before is used and it is said", () => {
  const exports = new AccountExports(folder);
  const before = commitOne(exports);
  write(commitOne(exports), '{"users":[{"loc');
  expect(new AccountExports(folder).latest()).toEqual({ path: before, damaged: true });
});

test("When an export is not whole, then it is refused and the last one stays current", () => {
  const exports = new AccountExports(folder);
  const committed = commitOne(exports);
  expect(() => exports.commit(write(exports.next(), ""))).toThrow("incomplete");
  expect(exports.latest().path).toBe(committed);
});
