import { expect, onTestFinished, test, vi } from "vitest";
import { createFirebaseTokenVerifier } from "../../src/auth/firebase-token-verifier.ts";
import { testFirebase } from "../../test/harness.ts";
import { buildServer } from "./build-product.ts";
import { startProduct } from "./product.ts";

// The server may have to be built first.
vi.setConfig({ testTimeout: 60_000 });

test("When NODE_ENV is production in the shell, then the local product still accepts its emulator", async () => {
  await buildServer();
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  const emulator = testFirebase();
  const starting = startProduct({ ...emulator, mongoUri: "nowhere", port: 0 });
  await expect(starting).rejects.toThrow("MONGODB_URI must look like");
  // The next step of a start.
  expect(() => createFirebaseTokenVerifier(emulator)).not.toThrow();
});
