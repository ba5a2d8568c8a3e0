import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../vitest.config.ts";

/** Runs only the tests named after the mutated file, as the server's configuration does. */
class OwnTests extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { related } = this.ctx.config;
    if (!related) return super.sort(files);
    const changed = related.map((file) => file.replace(/\.ts$/, ""));
    return files.filter(({ moduleId }) => changed.some((name) => moduleId.startsWith(name)));
  }
}

const runner = fileURLToPath(new URL("./load-failure-runner.ts", import.meta.url));
// The tests take milliseconds, so a mutant that takes this long (in ms) hangs.
const testTimeout = 10_000;

/** The tests of plain logic. Those that use no browser APIs start four times as fast without a simulated browser. */
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
