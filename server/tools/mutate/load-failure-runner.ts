import { TestRunner, test } from "vitest";

/** Adds a failing test to a test file that cannot be loaded: without tests, Stryker would count no failure. */
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
