import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { aptInstall } from "./apt.ts";

/** Installs with a fake `apt-get` and `sudo`, which note what they were asked to do. */
async function install({ uid }: { uid: number }) {
  const folder = temporaryFolder();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const log = join(folder, "log");
  writeFileSync(log, "");
  for (const name of ["apt-get", "sudo"])
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", folder);
  vi.spyOn(process, "getuid").mockReturnValue(uid);
  const said: string[] = [];
  const isInstalled = await aptInstall(["wine64", "wine"], (text) => said.push(text));
  return { isInstalled, said, done: readFileSync(log, "utf8") };
}

test("When nobody can be asked and this is not root, then nothing is installed", async () => {
  expect(await install({ uid: 1_000 })).toEqual({ isInstalled: false, said: [], done: "" });
});

test("When nobody can be asked and this is root, then what is installed is said first", async () => {
  const command = "apt-get install -y --no-install-recommends wine64 wine";
  expect(await install({ uid: 0 })).toEqual({
    isInstalled: true,
    said: [`running ${command}`],
    done: `${command}\n`,
  });
});
