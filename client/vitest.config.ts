import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  test: {
    environment: "jsdom",
    // The files share browser and imports: making both anew for each took two thirds of the processor's time.
    isolate: false,
    include: ["{src,build}/**/*.test.{ts,tsx}"],
    testTimeout: 30_000,
    // As long as Testing Library waits (src/testing/setup.ts).
    expect: { poll: { timeout: 8_000 } },
    setupFiles: ["src/testing/setup.ts"],
    css: false,
    restoreMocks: true,
  },
});
