import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder, until the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tasklane-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
