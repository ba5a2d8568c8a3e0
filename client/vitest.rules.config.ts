import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** The tests of plain logic: Stryker runs them again for each change of it. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      "src/auth/account-fields.test.ts",
      "src/features/tasks/**/{task-filters,task-form-values}.test.ts",
      "src/lib/{drafts,format,forms,links,pages,paths,problem,query-client}.test.ts",
    ],
    // They take milliseconds, so a change that takes this long hangs.
    testTimeout: 10_000,
  },
});
