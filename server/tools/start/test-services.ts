import { Closer } from "../lib/closer.ts";
import { startAuthEmulator } from "./auth/auth-emulator.ts";
import { startMongo } from "./mongo/start-mongo.ts";

/** The addresses of the test services, and the environment variables that hold them. */
export interface TestServices {
  /** `TASKLANE_TEST_MONGODB_URI`: a replica set; replace the database name with your own. */
  mongoUri: string;
  /** `FIREBASE_AUTH_EMULATOR_HOST` */
  authEmulatorHost: string;
  /** `FIREBASE_PROJECT_ID` */
  projectId: string;
  /** Stops the services that this call started. */
  stop(): Promise<void>;
}

const PARAMETERS = [
  // Tests set their own clock, but MongoDB expires documents by the machine's clock, once a minute: documents that a test
  // dates in the past would vanish at random.
  "ttlMonitorEnabled=false",
  // Deleted documents are kept so long for reads of the past, five minutes by default. Tests empty collections all the time,
  // and every scan passes what was in them.
  "minSnapshotHistoryWindowInSeconds=30",
].flatMap((parameter) => ["--setParameter", parameter]);

/**
 * Provides one MongoDB replica set and one Auth emulator for a test run, on free ports with temporary data.
 * Reuses those that `npm test` has started; otherwise starts them and sets the variables. Never uses MONGODB_URI.
 */
export async function ensureTestServices(progress?: (text: string) => void): Promise<TestServices> {
  const { env } = process;
  const closer = new Closer();
  if (!env["TASKLANE_TEST_MONGODB_URI"] || !env["FIREBASE_AUTH_EMULATOR_HOST"]) {
    const options = progress ? { progress } : {};
    // In memory, because every write waits for the journal: a third faster, and independent of the disk's load.
    const mongo = startMongo({ ...options, inMemory: true, args: PARAMETERS });
    const emulator = startAuthEmulator();
    try {
      const [{ uri }, { host, projectId }] = await Promise.all([
        closer.track(mongo, (started) => started.stop()),
        closer.track(emulator, (started) => started.stop()),
      ]);
      env["TASKLANE_TEST_MONGODB_URI"] = uri;
      env["FIREBASE_AUTH_EMULATOR_HOST"] = host;
      env["FIREBASE_PROJECT_ID"] = projectId;
    } catch (error) {
      await closer.close();
      throw error;
    }
  }
  return {
    mongoUri: env["TASKLANE_TEST_MONGODB_URI"] ?? "",
    authEmulatorHost: env["FIREBASE_AUTH_EMULATOR_HOST"] ?? "",
    projectId: env["FIREBASE_PROJECT_ID"] ?? "demo-tasklane",
    stop: () => closer.close(),
  };
}
