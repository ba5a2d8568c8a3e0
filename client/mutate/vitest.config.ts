import { defineConfig } from "vitest/config";
import base from "../vitest.config.ts";

// What hangs for so long, and took milliseconds before it was changed, hangs for ever.
const testTimeout = 3_000;

/** The tests of rules, which render nothing. Those that touch nothing of a browser start in a quarter of the time without one. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "plain",
          include: [
            "src/auth/account-fields.test.ts",
            "src/features/notifications/group-notifications.test.ts",
            "src/features/tasks/**/{merge,task-filters,task-form-values}.test.ts",
            "src/lib/{format,links,pages,paths}.test.ts",
          ],
          isolate: false,
          testTimeout,
        },
      },
      {
        ...base,
        test: {
          ...base.test,
          name: "browser",
          include: [
            "src/features/notifications/notification-store.test.ts",
            "src/lib/{draft-tabs,drafts,forms,problem,query-client}.test.ts",
          ],
          testTimeout,
        },
      },
    ],
  },
});
