import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../lib/paths.ts";

test.each(["client", "server"])(
  "When a rule of the %s is moved or renamed, then Stryker's list follows",
  (name) => {
    const folder = join(ROOT, name);
    const { mutate }: { mutate: string[] } = JSON.parse(
      readFileSync(join(folder, "stryker.config.json"), "utf8"),
    );
    expect(mutate.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  },
);
