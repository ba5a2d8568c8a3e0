import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM_FLAGS, THIS_HOST_ONLY } from "../server/dev/chromium-flags.ts";

const executablePath = process.env["E2E_CHROMIUM"];
const jsonReport = process.env["E2E_JSON"];

/** The journeys, in a real Chromium, against a whole product that global-setup.ts starts on a free port. */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env["CI"]),
  // A test that passes only sometimes is a failing one.
  retries: 0,
  reporter: [["list"], ...(jsonReport ? [["json", { outputFile: jsonReport }] as const] : [])],
  projects: [
    { name: "desktop", use: devices["Desktop Chrome"] },
    // What people do most once more at a phone's size; the other tests look at every size themselves or at none.
    {
      name: "phone",
      use: devices["Pixel 7"],
      testMatch: /(visitor|freelancer|client|hire)\.spec\.ts/,
      // What is the same at every size.
      grepInvert: /@once/,
    },
  ],
  use: {
    // Set by global-setup.ts before the workers read this file.
    ...(process.env["E2E_BASE_URL"] && { baseURL: process.env["E2E_BASE_URL"] }),
    // Recording takes nearly as long as the journeys themselves: `playwright test --trace retain-on-failure` where one fails.
    trace: "off",
    // Only offline.spec.ts lets it run.
    serviceWorkers: "block",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [...CHROMIUM_FLAGS, THIS_HOST_ONLY],
    },
  },
});
