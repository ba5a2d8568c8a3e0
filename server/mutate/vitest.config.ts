import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../vitest.config.ts";

/** First the test beside the file that is changed: most often it is the one that notices, and then no other needs to run. */
class OwnTestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const changed = (this.ctx.config.related ?? []).map((file) => file.replace(/\.ts$/, ""));
    const rank = ({ moduleId }: TestSpecification) =>
      changed.some((name) => moduleId.startsWith(name)) ? 0 : 1;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** The tests of rules: they need neither database nor emulator. */
export default defineConfig({
  test: {
    ...base.test,
    include: [
      "src/auth/remember-tokens.test.ts",
      "src/contract/*.test.ts",
      "src/db/{outage,read-cache,task-conditions,task-search}.test.ts",
      "src/features/bids/{batcher,similar-messages}.test.ts",
      "src/features/conversations/conversation-policy.test.ts",
      "src/features/delivery/delivery-{refusal,schedule}.test.ts",
      "src/features/notifications/coalesce.test.ts",
      "src/features/reviews/review-policy.test.ts",
      "src/features/tasks/task-{list-rules,policy}.test.ts",
      "src/http/{pagination,rate-limit,rate-limit-headers,read-body,cut-off-body,request-input}.test.ts",
    ],
    globalSetup: [],
    sequence: { sequencer: OwnTestFirst },
    // What hangs for so long, and took milliseconds before it was changed, hangs for ever.
    testTimeout: 3_000,
  },
});
