import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DIE_WITH_LAUNCHER } from "../../lib/run.ts";
import { UserError } from "../../lib/user-error.ts";

// Not import.meta.resolve, which Vitest does not support.
const require = createRequire(import.meta.url);
const CLI = require.resolve("firebase-tools/lib/bin/firebase.js");
const START_DEADLINE_MS = 90_000;
const STOP_GRACE_MS = 5_000;

interface EmulatorPorts {
  auth: number;
  hub: number;
  logging: number;
}

/** The Auth emulator of firebase-tools as a child process. */
export interface EmulatorProcess {
  isRunning(): boolean;
  stop(): Promise<void>;
}

export interface EmulatorHooks {
  /** Aborts the start only; afterwards use `stop`. */
  signal?: AbortSignal;
  /** Called if the emulator ends unexpectedly. */
  onCrash?: (error: Error) => void;
  /** Called with a sentence and link for each email that a real project would have sent. */
  onMail?: (text: string) => void;
}

/** Starts the emulator and waits until it is ready; it writes only to `workDir`. */
export async function startEmulatorProcess(
  options: EmulatorHooks & { workDir: string; projectId: string; ports: EmulatorPorts },
): Promise<EmulatorProcess> {
  const { workDir, projectId, ports, signal, onCrash, onMail } = options;
  prepare(workDir, ports);
  const child = fork(CLI, ["emulators:start", "--only", "auth", "--project", projectId], {
    cwd: workDir,
    env: quietEnv(workDir),
    execArgv: [...DIE_WITH_LAUNCHER, ...REFUSE_FOREIGN_PAGES],
    // Its own process group: Ctrl-C reaches only the launcher, which saves the accounts before it stops the emulator.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const kill = () => child.kill("SIGKILL");
  // A forced exit (Ctrl-C twice) does not wait; all acknowledged changes are saved already.
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  signal?.addEventListener("abort", kill);
  try {
    await ready(child);
  } catch (error) {
    await stop(child);
    throw error;
  } finally {
    signal?.removeEventListener("abort", kill);
  }
  if (onMail && child.stdout)
    createInterface(child.stdout).on("line", (line) => {
      const mail = /To [^:]+, follow this link: \S+/.exec(line);
      if (mail) onMail(mail[0]);
    });
  let stopping = false;
  child.once("exit", () => {
    if (!stopping) onCrash?.(new UserError("The Firebase Auth emulator ended unexpectedly."));
  });
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => {
      stopping = true;
      return stop(child);
    },
  };
}

/**
 * Node options that make the emulator refuse requests from other sites' pages. It lets any origin read everything, also
 * accounts and passwords; the proxies and the browser leave `Host` as it was typed, so the page's own origin has the same.
 * A name that is not this machine's may be one that an attacker's DNS resolves to it.
 */
const REFUSE_FOREIGN_PAGES = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    import { Server } from "node:http";
    const { emit } = Server.prototype;
    const isLocal = (host) => /^((.+\\.)?localhost|[\\d.]+|\\[[\\da-f:.]+\\])(:\\d+)?$/i.test(host);
    const isOwn = ({ host = "", origin }) =>
      isLocal(host) && (origin === undefined || origin === "http://" + host || origin === "https://" + host);
    Server.prototype.emit = function (event, request, response) {
      const isRequest = event === "request" || event === "upgrade";
      if (!isRequest || isOwn(request.headers)) return emit.apply(this, arguments);
      response.statusCode = 403;
      response.end();
      return true;
    };
  `)}`,
];

function prepare(workDir: string, ports: EmulatorPorts): void {
  mkdirSync(join(workDir, "tmp"), { recursive: true });
  const on = (port: number) => ({ host: "127.0.0.1", port });
  const emulators = {
    auth: on(ports.auth),
    hub: on(ports.hub),
    logging: on(ports.logging),
    ui: { enabled: false },
    singleProjectMode: false,
  };
  writeFileSync(join(workDir, "firebase.json"), JSON.stringify({ emulators }, null, 2));
}

// Without the developer's credentials, analytics and update checks; writes nothing to the home folder.
function quietEnv(workDir: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CI: "true",
    NO_UPDATE_NOTIFIER: "1",
    XDG_CONFIG_HOME: join(workDir, "config"),
    TMPDIR: join(workDir, "tmp"),
  };
  for (const name of [
    "GOOGLE_APPLICATION_CREDENTIALS",
    "FIREBASE_TOKEN",
    "FIREBASE_AUTH_EMULATOR_HOST",
    "DEBUG",
  ]) {
    delete env[name];
  }
  return env;
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let output = "";
    const timer = setTimeout(() => fail(failure("did not start within 90 s", output)), START_DEADLINE_MS);
    const read = (chunk: Buffer) => {
      // After the start the pipe is only drained, because a full one would block the emulator.
      if (output.length > 100_000) return;
      output += chunk.toString();
      if (output.includes("All emulators ready!")) {
        clearTimeout(timer);
        done();
      }
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", fail);
    child.once("exit", () => {
      clearTimeout(timer);
      fail(failure("failed to start", output));
    });
  });
}

function failure(what: string, output: string): Error {
  const lines = output.split("\n").map((line) => line.trim());
  const reason =
    lines.filter((line) => /error|warn|⚠|not open|unable/i.test(line)).at(-1) ?? lines.at(-1) ?? "";
  return new UserError(`The Firebase Auth emulator ${what}: ${reason}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_GRACE_MS);
  await exited;
  clearTimeout(timer);
}
