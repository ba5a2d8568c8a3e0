import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** The tests of rules, which need neither database nor emulator: Stryker runs them again for each change of a rule. */
export default defineConfig({
  test: {
    ...base.test,
    include: [
      "src/auth/token-cache.test.ts",
      "src/contract/*.test.ts",
      "src/db/{outage,read-cache}.test.ts",
      "src/domain/{task-conditions,text-search}.test.ts",
      "src/features/bids/similar-messages.test.ts",
      "src/features/delivery/rules.test.ts",
      "src/features/notifications/coalesce.test.ts",
      "src/features/tasks/task-list-plan-rules.test.ts",
      "src/http/pagination.test.ts",
      "src/http/request-{input,input-body}.test.ts",
    ],
    globalSetup: [],
    // Unchanged, these tests take milliseconds, so this long means an endless loop.
    testTimeout: 10_000,
  },
});
