import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../vitest.config.ts";

/** A changed file is judged by the tests that bear its name; see the server's. */
class OwnTests extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { related } = this.ctx.config;
    if (!related) return super.sort(files);
    const changed = related.map((file) => file.replace(/\.ts$/, ""));
    return files.filter(({ moduleId }) => changed.some((name) => moduleId.startsWith(name)));
  }
}

const runner = fileURLToPath(new URL("./load-failure-runner.ts", import.meta.url));
// What hangs for so long, and took milliseconds before it was changed, hangs for ever.
const testTimeout = 10_000;

/** The tests of rules, which render nothing. Those that touch nothing of a browser start in a quarter of the time without one. */
export default defineConfig({
  test: {
    sequence: { sequencer: OwnTests },
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
          runner,
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
            "src/lib/{drafts,drafts-tabs,forms,problem,query-client,query-client-page-data}.test.ts",
          ],
          runner,
          testTimeout,
        },
      },
    ],
  },
});
