import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testFirebase } from "../test/harness.ts";
import { type RunningMongo, startMongo } from "../tools/start/mongo/start-mongo.ts";
import { loadConfig } from "./config.ts";
import { serve } from "./serve.ts";

// A separate database server, because a failure of this test could take it down.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let mongo: RunningMongo;
beforeAll(async () => {
  mongo = await startMongo({ inMemory: true });
});
afterAll(() => mongo?.stop());

test("When two instances start at the same time on an empty database, then one prepares it and both serve", async () => {
  const { emulatorHost, projectId } = testFirebase();
  const config = loadConfig({
    ...{ MONGODB_URI: mongo.uri, FIREBASE_AUTH_EMULATOR_HOST: emulatorHost, FIREBASE_PROJECT_ID: projectId },
    ...{ PORT: "0", LOG_LEVEL: "silent" },
  });
  const servers = await Promise.all([serve(config), serve(config)]);
  try {
    for (const { url } of servers)
      for (const path of ["/tasks", "/ready"]) expect((await fetch(url + path)).status).toBe(200);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
});
