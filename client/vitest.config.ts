import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  test: {
    environment: "jsdom",
    // Test files share the jsdom environment and imports: setting both up per file took two thirds of the CPU time.
    isolate: false,
    // By default one less than there are cores: with two, half of the machine would be idle.
    maxWorkers: 2,
    include: ["{src,build}/**/*.test.{ts,tsx}"],
    testTimeout: 60_000,
    // The same timeout as Testing Library's (src/testing/setup.ts).
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ["src/testing/setup.ts"],
    css: false,
    restoreMocks: true,
  },
});
