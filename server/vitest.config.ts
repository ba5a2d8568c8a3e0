import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/**/*.test.ts",
      "dev/**/*.test.ts",
      "bench/**/*.test.ts",
      "chaos/**/*.test.ts",
      "fuzz/**/*.test.ts",
    ],
    globalSetup: ["test/global-setup.ts"],
    setupFiles: ["test/quiet-console.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Two cores share a database, an emulator and the tests.
    maxWorkers: 2,
  },
});
