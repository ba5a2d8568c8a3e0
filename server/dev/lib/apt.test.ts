import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { requirePackages } from "./apt.ts";

describe("When a Debian package is needed", () => {
  let folder: string;
  /** Puts an `apt-get` that says something, and nothing else, on the PATH. */
  const apt = (output: string, code: number) => {
    for (const name of ["apt-get", "sudo"]) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "${output}" >&2\nexit ${code}\n`, { mode: 0o755 });
    }
  };
  const install = () => requirePackages(["firefox-esr", "xvfb"], () => undefined);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tasklane-apt-"));
    vi.stubEnv("PATH", folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  test("and apt installs it, then that is all", async () => {
    apt("Setting up firefox-esr", 0);
    await install();
  });

  test("and this is no Debian, then it says which packages are missing", async () => {
    await expect(install()).rejects.toThrow("This needs firefox-esr xvfb, and only Debian's packages");
  });

  test.each([
    ["E: Could not open lock file - open (13: Permission denied)", "that takes root"],
    ["sudo: a password is required", "that takes root"],
    ["E: Unable to locate package firefox-esr", "this system has no such package"],
    ["Temporary failure resolving 'deb.debian.org'", "the package server does not respond"],
  ])("and apt says %s, then the reason is %s, with the command to run", async (output, reason) => {
    apt(output, 100);
    await expect(install()).rejects.toThrow(
      `This needs firefox-esr xvfb, and ${reason}. Try: sudo apt-get install firefox-esr xvfb`,
    );
  });
});
