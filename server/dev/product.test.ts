import { expect, onTestFinished, test, vi } from "vitest";
import { createFirebaseTokenVerifier } from "../src/auth/firebase-token-verifier.ts";
import { testFirebase } from "../test/harness.ts";
import { buildServer } from "./build/build-product.ts";
import { startProduct } from "./product.ts";

// It may have to be built first.
vi.setConfig({ testTimeout: 60_000 });

test("When a person's shell says production, then the local product takes its emulator all the same", async () => {
  await buildServer();
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  const emulator = testFirebase();
  const starting = startProduct({ ...emulator, mongoUri: "nowhere", port: 0 });
  await expect(starting).rejects.toThrow("MONGODB_URI must look like");
  // What a start goes on with.
  expect(() => createFirebaseTokenVerifier(emulator)).not.toThrow();
});
