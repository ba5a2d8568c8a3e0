import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../../vitest.config.ts";

/**
 * Runs only the tests named after the changed file, for `fields.ts` those in `fields.test.ts` and `fields-rules.test.ts`:
 * they are few, and more precise than what other tests happen to notice.
 */
class OwnTests extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { related } = this.ctx.config;
    if (!related) return super.sort(files);
    const changed = related.map((file) => file.replace(/\.ts$/, ""));
    return files.filter(({ moduleId }) => changed.some((name) => moduleId.startsWith(name)));
  }
}

/** The tests of rules, which need neither database nor emulator. */
export default defineConfig({
  test: {
    ...base.test,
    include: [
      "src/auth/token-cache.test.ts",
      "src/contract/*.test.ts",
      "src/db/{outage,read-cache,task-conditions,task-search}.test.ts",
      "src/features/bids/{batcher,similar-messages}.test.ts",
      "src/features/conversations/conversation-policy.test.ts",
      "src/features/delivery/delivery-policy.test.ts",
      "src/features/notifications/coalesce.test.ts",
      "src/features/reviews/review-policy.test.ts",
      "src/features/tasks/task-list-plan-rules.test.ts",
      "src/http/{pagination,rate-limit}.test.ts",
      "src/http/request-{input,input-body,limits-headers}.test.ts",
    ],
    globalSetup: [],
    sequence: { sequencer: OwnTests },
    runner: fileURLToPath(new URL("./load-failure-runner.ts", import.meta.url)),
    // Unchanged, these tests take milliseconds, so this long means an endless loop.
    testTimeout: 10_000,
  },
});
