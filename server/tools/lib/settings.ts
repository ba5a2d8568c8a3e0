import { join, resolve } from "node:path";
import dotenv from "dotenv";
import { ROOT } from "./paths.ts";
import { UserError } from "./user-error.ts";

/** The Firebase project of the embedded product; the prefix `demo-` keeps Firebase's tools from calling Google. */
export const DEMO_PROJECT = "demo-tasklane";

/** The settings of the launcher, from the environment and the `.env` file. */
export interface Settings {
  port: number;
  /** Everything the embedded product stores: `DATA_DIR`, or `.data` in the repository. */
  dataDir: string;
  /** An existing database; without it the launcher starts one. */
  mongoUri: string | undefined;
  /** Port of the embedded Auth emulator; undefined when a real Firebase project is configured. */
  emulatorPort: number | undefined;
  projectId: string;
  /** Whether to load demo data: into the embedded database, or with SEED_DEMO=1 into another one. */
  seed: boolean;
}

/** Reads `.env` (existing environment variables win) and validates the settings of the launcher. */
export function readSettings(): Settings {
  dotenv.config({ path: join(ROOT, ".env"), quiet: true });
  const { env } = process;
  const mongoUri = env["MONGODB_URI"]?.trim() || undefined;
  const realProject = env["VITE_FIREBASE_API_KEY"] ? env["VITE_FIREBASE_PROJECT_ID"] : undefined;
  const emulatorPort = realProject
    ? undefined
    : portOfHost(env["FIREBASE_AUTH_EMULATOR_HOST"] || "127.0.0.1:9099");
  return {
    port: portOf("PORT", env["PORT"] || "3000"),
    dataDir: resolve(ROOT, env["DATA_DIR"] || ".data"),
    mongoUri,
    emulatorPort,
    projectId: realProject ?? DEMO_PROJECT,
    seed: emulatorPort !== undefined && (!mongoUri || env["SEED_DEMO"] === "1"),
  };
}

function portOf(name: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UserError(`${name} is "${text}": use a port number from 1 to 65535.`);
}

// The launcher runs the emulator on this machine, so only the port can be chosen.
function portOfHost(text: string): number {
  const match = /^(?:127\.0\.0\.1|localhost):(\d+)$/.exec(text);
  if (match?.[1]) return portOf("FIREBASE_AUTH_EMULATOR_HOST", match[1]);
  throw new UserError(`FIREBASE_AUTH_EMULATOR_HOST is "${text}": use 127.0.0.1:port, like 127.0.0.1:9099.`);
}
