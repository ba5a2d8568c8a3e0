import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { requirePackages } from "./apt.ts";

describe("When a Debian package is needed", () => {
  let folder: string;
  /** Puts a fake `apt-get` and `sudo`, and nothing else, on the PATH. */
  const fakeApt = (output: string, code: number) => {
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

  test("and apt installs it, then no error is thrown", async () => {
    fakeApt("Setting up firefox-esr", 0);
    await install();
  });

  test("and the system is not Debian, then the error names the missing packages", async () => {
    await expect(install()).rejects.toThrow("This needs firefox-esr xvfb, and only Debian's packages");
  });

  test.each([
    ["E: Could not open lock file - open (13: Permission denied)", "that takes root"],
    ["sudo: a password is required", "that takes root"],
    ["E: Unable to locate package firefox-esr", "this system has no such package"],
    ["Temporary failure resolving 'deb.debian.org'", "the package server does not respond"],
  ])("and apt prints %s, then the error says %s, with the command to run", async (output, reason) => {
    fakeApt(output, 100);
    await expect(install()).rejects.toThrow(
      `This needs firefox-esr xvfb, and ${reason}. Try: sudo apt-get install firefox-esr xvfb`,
    );
  });
});
