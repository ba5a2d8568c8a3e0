import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, isPortFree } from "../lib/ports.ts";
import { UserError } from "../lib/user-error.ts";
import { AccountExports } from "./account-exports.ts";
import { coalesce } from "./coalesce.ts";
import { type EmulatorPorts, startEmulatorProcess } from "./emulator-process.ts";

/** The Firebase project of the embedded product; `demo-` tells Firebase's tools to never call Google. */
export const DEMO_PROJECT = "demo-tasklane";

const WATCH_EVERY_MS = 3_000;

export interface RunningAuthEmulator {
  /** `127.0.0.1:port`, as FIREBASE_AUTH_EMULATOR_HOST wants it. */
  host: string;
  projectId: string;
  /** Exports the accounts; when it resolves, everything done before the call survives a kill -9. */
  save(): Promise<void>;
  stop(): Promise<void>;
}

export interface AuthEmulatorOptions {
  /** Where the accounts stay; without it they are gone on stop. */
  dataDir?: string;
  /** The port it must have; without it any free one. */
  port?: number;
  projectId?: string;
  progress?: (text: string) => void;
  /** Gives up the start; once started, `stop` is what ends it. */
  signal?: AbortSignal;
  /** Called if the emulator ends without having been stopped. */
  onCrash?: (error: Error) => void;
  /** Called with each mail that a real project would have sent, such as the link to reset a password. */
  onMail?: (text: string) => void;
}

/** Starts the Firebase Auth emulator on loopback with the accounts of the last run. */
export async function startAuthEmulator(options: AuthEmulatorOptions = {}): Promise<RunningAuthEmulator> {
  const { dataDir, projectId = DEMO_PROJECT, progress = () => undefined, signal, onCrash, onMail } = options;
  const folder = dataDir ? join(dataDir, "auth") : await mkdtemp(join(tmpdir(), "tasklane-auth-"));
  const workDir = join(folder, "emulator");
  rmSync(workDir, { recursive: true, force: true });
  const exports = new AccountExports(join(folder, "accounts"));
  const latest = exports.latest();
  if (latest.damaged) {
    progress(`the last export of the accounts is damaged, using ${latest.path ?? "none"} instead`);
  }

  const { ports, emulator } = await launch(options.port, signal, (ports) =>
    startEmulatorProcess({ workDir, projectId, ports, importPath: latest.path, signal, onCrash, onMail }),
  );
  const host = `127.0.0.1:${ports.auth}`;
  const state = () => fetchAccounts(host, projectId);
  let exported = fingerprint(await state());
  const save = coalesce(async () => {
    const before = fingerprint(await state());
    const path = exports.next();
    await exportTo(ports.hub, path);
    exports.commit(path);
    exported = before;
  });
  // Whoever talks to the emulator directly (the admin SDK, a test) is saved a moment later.
  const watch = setInterval(() => {
    state()
      .then((accounts) => (fingerprint(accounts) === exported ? undefined : save()))
      .catch(() => undefined);
  }, WATCH_EVERY_MS);
  if (!dataDir) clearInterval(watch);

  return {
    host,
    projectId,
    save,
    stop: async () => {
      clearInterval(watch);
      if (dataDir && emulator.isRunning())
        await save().catch((error: unknown) => progress(`accounts not exported on stop: ${error}`));
      await emulator.stop();
      if (dataDir) rmSync(workDir, { recursive: true, force: true });
      else await rm(folder, { recursive: true, force: true });
    },
  };
}

// Free ports can be taken a moment later by another start: then others are tried.
async function launch<T>(
  fixed: number | undefined,
  signal: AbortSignal | undefined,
  start: (ports: EmulatorPorts) => Promise<T>,
) {
  if (fixed && !(await isPortFree(fixed, { loopbackOnly: true }))) {
    throw new UserError(
      `Port ${fixed} for the Auth emulator is taken: choose another in FIREBASE_AUTH_EMULATOR_HOST.`,
    );
  }
  for (let attempt = 1; ; attempt++) {
    const ports = { auth: fixed ?? (await freePort()), hub: await freePort(), logging: await freePort() };
    try {
      return { ports, emulator: await start(ports) };
    } catch (error) {
      if (attempt === 3 || signal?.aborted) throw error;
    }
  }
}

async function fetchAccounts(host: string, projectId: string): Promise<string> {
  const url = `http://${host}/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:batchGet?maxResults=-1`;
  const answer = await fetch(url, { headers: { authorization: "Bearer owner" } });
  return answer.text();
}

const fingerprint = (text: string) => createHash("sha256").update(text).digest("hex");

async function exportTo(hubPort: number, path: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${hubPort}/_admin/export`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path, initiatedBy: "tasklane" }),
  });
  if (!answer.ok) throw new Error(`The Auth emulator could not export its accounts: ${await answer.text()}`);
}
