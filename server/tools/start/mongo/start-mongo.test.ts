import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder as aFolder } from "../../../test/temporary-folder.ts";
import { identify } from "../../lib/lock.ts";
import { temporaryFolder } from "./start-mongo.ts";

test("When temporary data is needed, then that of databases that no longer run is removed, and no other", async () => {
  const parent = aFolder();
  const self = identify(process.pid);
  const processes = {
    "tasklane-mongo-killed": { pid: spawnSync(process.execPath, ["--version"]).pid, started: "1" },
    "tasklane-mongo-reused": { ...self, started: "1" },
    "tasklane-mongo-running": self,
    "tasklane-mongo-starting": undefined,
    "other-killed": { ...self, started: "1" },
  };
  for (const [name, last] of Object.entries(processes)) {
    mkdirSync(join(parent, name, "db"), { recursive: true });
    if (last) writeFileSync(join(parent, name, "last-start.json"), JSON.stringify(last));
  }
  const added = basename(await temporaryFolder(parent));
  expect(readdirSync(parent).sort()).toEqual(
    [added, "other-killed", "tasklane-mongo-running", "tasklane-mongo-starting"].sort(),
  );
});
