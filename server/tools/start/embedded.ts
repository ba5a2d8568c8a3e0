import type { Closer } from "../lib/closer.ts";
import { isPortFree } from "../lib/ports.ts";
import { readSettings, type Settings } from "../lib/settings.ts";
import { type Step, step } from "../lib/steps.ts";
import { UserError } from "../lib/user-error.ts";
import { type RunningAuthEmulator, startAuthEmulator } from "./auth/auth-emulator.ts";
import { claimDataDir } from "./data-dir.ts";
import { seedDemoData } from "./demo.ts";
import { startMongo } from "./mongo/start-mongo.ts";

export interface Services {
  mongoUri: string;
  emulator: RunningAuthEmulator | undefined;
}

/** @throws {UserError} if this user may not open the port, or, with the hint, if it is taken. */
export async function requirePort(port: number, hint: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new UserError(`Port ${port} is taken by another program: stop it, or ${hint}`);
}

const DEFAULT_PORT = 3_000;

/** Reads the settings, and claims the data folder and checks the ports that they name, before anything is started. */
export async function claimSettings(command: string, closer: Closer): Promise<Settings> {
  const settings = readSettings();
  const { port, emulatorPort } = settings;
  claimDataDir(settings.dataDir, closer, command);
  await requirePort(port, `choose another one: PORT=${port + 1} ${command}`);
  if (emulatorPort === undefined) return settings;
  const withPort = port === DEFAULT_PORT ? "" : `PORT=${port} `;
  const other = `${withPort}FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:${emulatorPort + 100} ${command}`;
  await requirePort(emulatorPort, `choose another one for the Auth emulator: ${other}`);
  return settings;
}

/** Starts database and Auth emulator in parallel, unless the settings name existing ones, and loads the demo data. */
export async function startServices(settings: Settings, closer: Closer): Promise<Services> {
  const [mongoUri, emulator] = await Promise.all([
    startDatabase(settings, closer),
    startAuth(settings, closer),
  ]);
  closer.signal.throwIfAborted();
  if (settings.seed && emulator) {
    await step("Demo data", async ({ detail }) => {
      const tasks = await seedDemoData({
        mongoUri,
        emulatorHost: emulator.host,
        projectId: settings.projectId,
        mayEmpty: !settings.mongoUri,
      });
      detail(tasks > 0 ? `${tasks} tasks loaded` : "loaded by an earlier start");
    });
  }
  return { mongoUri, emulator };
}

function startDatabase({ mongoUri, dataDir }: Settings, closer: Closer): Promise<string> {
  return step("MongoDB", async ({ progress, detail }: Step) => {
    if (mongoUri) {
      detail("from MONGODB_URI");
      return mongoUri;
    }
    const mongo = await closer.track(startMongo({ dataDir, progress, onCrash: closer.fail }), (running) =>
      running.stop(),
    );
    detail(`127.0.0.1:${mongo.port}`);
    return mongo.uri;
  });
}

function startAuth(settings: Settings, closer: Closer): Promise<RunningAuthEmulator | undefined> {
  const { dataDir, emulatorPort: port, projectId } = settings;
  return step("Firebase Auth", async ({ detail }: Step) => {
    if (!port) {
      detail(`your project ${projectId}`);
      return undefined;
    }
    const starting = startAuthEmulator({
      dataDir,
      port,
      projectId,
      onMail: (text) => process.stdout.write(`\n  Mail: ${text}\n`),
    });
    const emulator = await closer.track(starting, (running) => running.stop());
    detail(`emulator on ${emulator.host}`);
    return emulator;
  });
}
