import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// A clean clone knows no durations: without this the longest file, which is short, would begin last.
const FIRST = [
  // It counts what is executed, to which a timer that an earlier file left in the process would add.
  "tools/cost/cost.test.ts",
  "tools/life/life.test.ts",
  "tools/crash/crash.test.ts",
  "src/permissions.test.ts",
  "tools/backup/two-products.test.ts",
  "tools/backup/backup.test.ts",
  "src/http/listen.test.ts",
];

class InThisOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = FIRST.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? FIRST.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["{src,test,tools}/**/*.test.ts"],
    // Three databases and two servers beside all else take a minute of both cores: CI runs it by itself.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env["CHAOS_SECONDS"] ? [] : ["tools/chaos/chaos.test.ts"]),
    ],
    globalSetup: ["test/global-setup.ts"],
    setupFiles: ["test/quiet-console.ts"],
    // For a busy machine; what has to be fast says so itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes as soon as it can; how soon is said where that is what is tested.
    expect: { poll: { timeout: 8_000 } },
    // The files share what they import: loading the product anew for each cost half of the time (47 s instead of 24 for 26 files).
    isolate: false,
    // More would only wait for the two cores, which the browsers use too.
    maxWorkers: 3,
    sequence: { sequencer: InThisOrder },
  },
});
