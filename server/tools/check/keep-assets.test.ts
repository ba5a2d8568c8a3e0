import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { SERVER } from "../lib/paths.ts";

test("When builds replace each other, then the proxy keeps the files of the latest, and those replaced within 30 days", () => {
  const folder = temporaryFolder();
  const kept = join(folder, "builds");
  mkdirSync(kept);
  const start = (...names: string[]) => {
    const build = join(folder, names.join());
    mkdirSync(join(build, "assets"), { recursive: true });
    for (const name of names) writeFileSync(join(build, "assets", name), name);
    execFileSync("sh", [join(SERVER, "deploy/keep-assets.sh"), build, kept]);
    return readdirSync(join(kept, "assets")).sort();
  };
  const ageFiles = (days: number) => {
    for (const name of readdirSync(join(kept, "assets"))) {
      const path = join(kept, "assets", name);
      const at = statSync(path).mtimeMs / 1_000 - days * 86_400;
      utimesSync(path, at, at);
    }
  };
  expect(start("a", "same")).toEqual(["a", "same"]);
  ageFiles(60);
  expect(start("b", "same")).toEqual(["a", "b", "same"]);
  ageFiles(20);
  // A restart does not count as a new build.
  expect(start("b", "same")).toEqual(["a", "b", "same"]);
  ageFiles(20);
  expect(start("c")).toEqual(["b", "c", "same"]);
});
