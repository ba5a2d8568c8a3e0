import { TestRunner, test } from "vitest";

/** A test file that cannot be loaded has no tests, which Stryker takes for none that failed: here it has one, which fails. */
export default class LoadFailureRunner extends TestRunner {
  override async importFile(file: string, source: "collect" | "setup"): Promise<void> {
    try {
      await super.importFile(file, source);
    } catch (error) {
      if (source === "setup") throw error;
      test("The file loads", () => {
        throw error;
      });
    }
  }
}
