import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM_FLAGS, THIS_HOST_ONLY } from "../server/tools/lib/chromium-flags.ts";

const executablePath = process.env["E2E_CHROMIUM"];
const jsonReport = process.env["E2E_JSON"];
// `npm run tool NAME` runs NAME.tool.ts instead of the tests.
const tool = process.env["E2E_TOOL"];

/** User journeys in a real Chromium, against the complete product, which global-setup.ts starts on a free port. */
export default defineConfig({
  testDir: "e2e",
  testMatch: tool ? `**/${tool}.tool.ts` : "**/*.spec.ts",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env["CI"]),
  // A flaky test counts as failing.
  retries: 0,
  reporter: [["list"], ...(jsonReport ? [["json", { outputFile: jsonReport }] as const] : [])],
  // Some tests set other viewport sizes, or use touch.
  use: {
    ...devices["Desktop Chrome"],
    // Set by global-setup.ts before the workers read this file.
    ...(process.env["E2E_BASE_URL"] && { baseURL: process.env["E2E_BASE_URL"] }),
    // Tracing nearly doubles the run time. To debug a failure, run `playwright test --trace retain-on-failure`.
    trace: "off",
    // Only offline.spec.ts allows the service worker.
    serviceWorkers: "block",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [...CHROMIUM_FLAGS, THIS_HOST_ONLY],
    },
  },
});
