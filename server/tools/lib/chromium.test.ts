import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { runPlaywright } from "./chromium.ts";

const client = vi.hoisted(() => ({ folder: "" }));
vi.mock("./paths.ts", () => ({
  get CLIENT() {
    return client.folder;
  },
}));

test.runIf(process.platform === "linux")(
  "When the system lacks libraries that Playwright's Chromium needs, then Debian's is installed and used",
  async () => {
    const folder = temporaryFolder();
    onTestFinished(() => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    });
    client.folder = folder;
    vi.stubEnv("PATH", folder);
    vi.stubEnv("E2E_CHROMIUM", "");
    vi.spyOn(process, "getuid").mockReturnValue(0);
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const installed = join(folder, "chromium-headless-shell");
    writeFileSync(join(folder, "apt-get"), `#!/bin/sh\n/bin/cp "$0" ${installed}\n`, { mode: 0o755 });
    const playwright = join(folder, "node_modules/@playwright/test");
    mkdirSync(playwright, { recursive: true });
    writeFileSync(join(playwright, "package.json"), '{ "bin": { "playwright": "cli.js" } }');
    // As Playwright says it, without an exit code.
    const script = `
    if (process.argv[2] === "install") {
      const error = new Error("Host system is missing dependencies to run browsers.");
      error.name = "Playwright Host validation warning";
      console.error(error);
    } else process.exitCode = process.env.E2E_CHROMIUM === ${JSON.stringify(installed)} ? 0 : 1;`;
    writeFileSync(join(playwright, "cli.js"), script);

    expect(await runPlaywright([], { env: process.env })).toBe(0);
  },
);
