import { type RunningAuthEmulator, startAuthEmulator } from "./auth-emulator/start-auth-emulator.ts";
import { type RunningMongo, startMongo } from "./mongo/start-mongo.ts";

/** Where the services of the tests are, and the environment variables that say so. */
export interface TestServices {
  /** `TASKLANE_TEST_MONGODB_URI`: replica set, replace the database name by one of your own. */
  mongoUri: string;
  /** `FIREBASE_AUTH_EMULATOR_HOST` */
  authEmulatorHost: string;
  /** `FIREBASE_PROJECT_ID` */
  projectId: string;
  /** Stops what this call started. */
  stop(): Promise<void>;
}

// Tests travel in time, and the database deletes what has expired by the machine's clock, once a minute: news that a test
// writes in March is gone, or not, when it looks.
const NOTHING_EXPIRES = ["--setParameter", "ttlMonitorEnabled=false"];

/**
 * One MongoDB replica set and one Auth emulator for a test run, on free ports with temporary data.
 * Uses those that `npm test` has started; starts them otherwise, and sets the variables.
 * A person's own MONGODB_URI is never touched.
 */
export async function ensureTestServices(progress?: (text: string) => void): Promise<TestServices> {
  const { env } = process;
  const options = progress ? { progress } : {};
  const given = env["TASKLANE_TEST_MONGODB_URI"] && env["FIREBASE_AUTH_EMULATOR_HOST"];
  let mongo: RunningMongo | undefined;
  let emulator: RunningAuthEmulator | undefined;
  if (!given) {
    const [mongoResult, emulatorResult] = await Promise.allSettled([
      // In memory, since every write waits for its journal: a third less time, and no waiting for others' disk.
      startMongo({ ...options, inMemory: true, args: NOTHING_EXPIRES }),
      startAuthEmulator(options),
    ]);
    if (mongoResult.status === "fulfilled") mongo = mongoResult.value;
    if (emulatorResult.status === "fulfilled") emulator = emulatorResult.value;
    if (!mongo || !emulator) {
      await Promise.all([mongo?.stop(), emulator?.stop()]);
      throw mongoResult.status === "rejected"
        ? mongoResult.reason
        : (emulatorResult as PromiseRejectedResult).reason;
    }
    env["TASKLANE_TEST_MONGODB_URI"] = mongo.uri;
    env["FIREBASE_AUTH_EMULATOR_HOST"] = emulator.host;
    env["FIREBASE_PROJECT_ID"] = emulator.projectId;
  }
  return {
    mongoUri: env["TASKLANE_TEST_MONGODB_URI"] ?? "",
    authEmulatorHost: env["FIREBASE_AUTH_EMULATOR_HOST"] ?? "",
    projectId: env["FIREBASE_PROJECT_ID"] ?? "demo-tasklane",
    stop: async () => {
      await Promise.all([mongo?.stop(), emulator?.stop()]);
    },
  };
}
