import { defineConfig } from "vitest/config";
import base from "../vitest.config.ts";

/** The tests that kill mutants: those of rules, which render nothing. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["src/**/*.test.ts"],
    // What hangs for so long, and took milliseconds before it was changed, hangs for ever.
    testTimeout: 3_000,
  },
});
