import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coalesce } from "../../../src/features/notifications/coalesce.ts";
import { freePort, isPortFree } from "../../lib/ports.ts";
import { privateFolder } from "../../lib/private-folder.ts";
import { UserError } from "../../lib/user-error.ts";
import { exportAccounts, importAccounts, readAccounts, writeAccounts } from "./accounts.ts";
import { type EmulatorHooks, type EmulatorProcess, startEmulatorProcess } from "./emulator-process.ts";

/** The Firebase project of the embedded product; the prefix `demo-` keeps Firebase's tools from calling Google. */
export const DEMO_PROJECT = "demo-tasklane";

const ATTEMPTS = 3;
const SAVE_EVERY_MS = 3_000;

export interface RunningAuthEmulator {
  /** `127.0.0.1:port`, the format of FIREBASE_AUTH_EMULATOR_HOST. */
  host: string;
  projectId: string;
  /** Stores the accounts; once it resolves, all changes before the call survive a kill -9. */
  save(): Promise<void>;
  stop(): Promise<void>;
}

interface AuthEmulatorOptions extends EmulatorHooks {
  /** Where the accounts are stored; without it they are lost on stop. */
  dataDir?: string;
  /** A fixed port; without it any free one. */
  port?: number;
  projectId?: string;
  progress?: (text: string) => void;
}

/** Starts the Firebase Auth emulator on loopback, with the accounts of the last run. */
export async function startAuthEmulator(options: AuthEmulatorOptions = {}): Promise<RunningAuthEmulator> {
  const { dataDir, projectId = DEMO_PROJECT, progress = () => undefined } = options;
  const workDir = dataDir
    ? join(privateFolder(join(dataDir, "auth")), "emulator")
    : await mkdtemp(join(tmpdir(), "tasklane-auth-"));
  // Left over from a killed run.
  await rm(workDir, { recursive: true, force: true });
  const { emulator, host } = await launch({ ...options, workDir, projectId });
  try {
    // Before the first save: an empty emulator must never overwrite the stored accounts.
    const accounts = dataDir ? readAccounts(dataDir) : undefined;
    if (accounts) await importAccounts(host, projectId, accounts);
  } catch (error) {
    await emulator.stop();
    throw error;
  }

  let stored = "";
  const saveNow = coalesce(
    async () => {
      if (!dataDir) return;
      const accounts = await exportAccounts(host, projectId);
      const text = JSON.stringify(accounts);
      if (text !== stored) writeAccounts(dataDir, accounts);
      stored = text;
    },
    { waitMs: 0 },
  );
  const save = () => saveNow("accounts");
  // Changes that bypass our proxy (by the admin SDK or a test) are saved a moment later.
  const timer = setInterval(() => void save().catch(() => undefined), SAVE_EVERY_MS);

  return {
    host,
    projectId,
    save,
    stop: async () => {
      clearInterval(timer);
      if (emulator.isRunning())
        await save().catch((error: unknown) => progress(`accounts were not saved on stop: ${error}`));
      await emulator.stop();
      await rm(workDir, { recursive: true, force: true });
    },
  };
}

/** Whether the emulator really serves the port: firebase-tools reports ready even if it could not listen. */
async function serves(host: string): Promise<boolean> {
  const response = await fetch(`http://${host}/`).catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  return (body as { authEmulator?: { ready?: boolean } } | undefined)?.authEmulator?.ready === true;
}

// Free ports may be taken a moment later by another start; then this tries others.
async function launch(
  options: AuthEmulatorOptions & { workDir: string; projectId: string },
): Promise<{ emulator: EmulatorProcess; host: string }> {
  const { port: fixed, signal } = options;
  if (fixed && !(await isPortFree(fixed, { loopbackOnly: true }))) {
    throw new UserError(
      `Port ${fixed} for the Auth emulator is taken: choose another in FIREBASE_AUTH_EMULATOR_HOST.`,
    );
  }
  for (let attempt = 1; ; attempt++) {
    const ports = { auth: fixed ?? (await freePort()), hub: await freePort(), logging: await freePort() };
    const host = `127.0.0.1:${ports.auth}`;
    try {
      const emulator = await startEmulatorProcess({ ...options, ports });
      if (await serves(host)) return { emulator, host };
      await emulator.stop();
      throw new UserError(`Port ${ports.auth} for the Auth emulator was taken while it started: try again.`);
    } catch (error) {
      if (attempt === ATTEMPTS || signal?.aborted) throw error;
    }
  }
}
