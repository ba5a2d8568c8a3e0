import { randomBytes } from "node:crypto";
import { type Closer, withCloser } from "../lib/closer.ts";
import { freePort } from "../lib/ports.ts";
import { step } from "../lib/steps.ts";
import { UserError } from "../lib/user-error.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { DEMO_PROJECT } from "../start/auth/start-auth-emulator.ts";
import { startMongo } from "../start/mongo/start-mongo.ts";
import { containerProblems, type Inspected, megabytes } from "./container/container-problems.ts";
import {
  buildImage,
  CHECK_VARIABLES,
  type Engine,
  findEngine,
  removeContainer,
  startContainer,
} from "./container/engine.ts";

/** Differs from the name in DEPLOY.md, so that nobody's own image is replaced. */
const IMAGE = "tasklane-api-check";
const READY = { timeoutMs: 30_000, everyMs: 50 };
/** After SIGTERM an instance needs ten seconds at most; supervisors allow fifteen. */
const MAX_STOP_MS = 10_000;
const GRACE_S = 15;

/**
 * `npm run tool container`: builds the image of the API, runs it as the compose file does, with a temporary database, and fails
 * if it is not what `server/deploy/DEPLOY.md` promises. Does nothing without a working container engine.
 */
export async function main(): Promise<void> {
  const engine = await findEngine();
  if ("missing" in engine) {
    process.stdout.write(`Skipped, the image was not built: ${engine.missing}.\n`);
    return;
  }
  await withCloser((closer) => check(engine, closer));
}

async function check(engine: Engine, closer: Closer): Promise<void> {
  const { signal } = closer;
  await step("Image", async ({ progress, detail }) => {
    progress(`building with ${engine.name} (the first time takes minutes)`);
    await buildImage(engine, { target: "api", tag: IMAGE, variables: CHECK_VARIABLES, signal });
    detail(`built with ${engine.name}`);
  });
  const mongo = await step("MongoDB", ({ progress }) =>
    closer.track(startMongo({ inMemory: true, progress }), (running) => running.stop()),
  );
  const { name, url, readyMs } = await step("Container", () => start(engine, mongo.uri, closer));
  const problems = await step("Inside", async ({ detail }) => {
    detail("processes, files, responses");
    return [...containerProblems(await inspect(engine, name)), ...(await wrongResponses(url))];
  });
  const { sizeBytes } = await imageOf(engine);
  const stopped = await step("Stop", async ({ detail }) => {
    const ended = await stop(engine, name);
    detail(`exit code ${ended.code}`);
    return ended;
  });
  process.stdout.write(
    `\n${megabytes(sizeBytes)}, ready after ${seconds(readyMs)}, gone ${seconds(stopped.ms)} after SIGTERM.\n`,
  );
  if (stopped.code !== 0) problems.push(`it ended with code ${stopped.code} after SIGTERM`);
  if (stopped.ms > MAX_STOP_MS) problems.push(`it took ${seconds(stopped.ms)} to stop`);
  if (problems.length > 0)
    throw new UserError(`The container is not as it should be:\n  ${problems.join("\n  ")}`);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

type Image = {
  Size: number;
  Config: { Env?: string[]; Healthcheck?: { Test?: string[] } };
  /** Podman puts it here. */
  Healthcheck?: { Test?: string[] };
};

async function imageOf(engine: Engine) {
  const [image] = JSON.parse(await engine.run(["image", "inspect", IMAGE])) as [Image];
  const [, ...healthCommand] = (image.Config.Healthcheck ?? image.Healthcheck)?.Test ?? [];
  return { sizeBytes: image.Size, environment: image.Config.Env ?? [], healthCommand };
}

/** Runs the image on a free port of this machine. @throws {UserError} with its log if it does not get ready. */
async function start(engine: Engine, mongoUri: string, closer: Closer) {
  const name = `${IMAGE}-${randomBytes(4).toString("hex")}`;
  const port = await freePort();
  const environment = {
    HOST: "127.0.0.1",
    PORT: port,
    MONGODB_URI: mongoUri,
    FIREBASE_PROJECT_ID: DEMO_PROJECT,
    WEB_URL: "https://tasklane.example",
    LOG_LEVEL: "warn",
  };
  const started = performance.now();
  const starting = startContainer(engine, { name, image: IMAGE, service: "api1", environment });
  // A container that failed to start must be removed too.
  void closer.track(
    starting.catch(() => undefined),
    () => removeContainer(engine, name),
  );
  await starting;
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await waitUntil(async () => closer.signal.aborted || (await isReady()), READY)))
    throw new UserError(
      `${await engine.run(["logs", name])}\nThe container did not become ready (see above).`,
    );
  return { name, url, readyMs: performance.now() - started };
}

async function inspect(engine: Engine, name: string): Promise<Inspected> {
  const { sizeBytes, environment, healthCommand } = await imageOf(engine);
  const shell = (script: string, ...options: string[]) =>
    engine.run(["exec", ...options, name, "sh", "-c", script]);
  // Fails if a supervisor would consider the instance unhealthy.
  await engine.run(["exec", name, ...healthCommand]);
  const write = "for f in / /app /etc /usr/local/bin /tmp; do touch $f/x 2>/dev/null && echo $f; done; true";
  const lines = (text: string) => text.split("\n").filter(Boolean);
  return {
    sizeBytes,
    environment,
    processes: await shell("cat /proc/[0-9]*/status 2>/dev/null; true"),
    // As root, since the user of the image could not write there anyway.
    writable: lines(await shell(write, "--user", "0")),
    files: lines(await shell("find /app /usr/local -type f")),
  };
}

const PAGES = { "/": "text/html", "/tasks": "application/json", "/health": "application/json" };

async function wrongResponses(url: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [path, type] of Object.entries(PAGES)) {
    const { status, headers } = await fetch(url + path);
    const found = `${status} ${headers.get("content-type")}`;
    if (!found.startsWith(`200 ${type}`)) problems.push(`${path} is ${found}`);
  }
  return problems;
}

async function stop(engine: Engine, name: string): Promise<{ ms: number; code: number }> {
  const started = performance.now();
  await engine.run(["stop", "-t", String(GRACE_S), name]);
  const ms = performance.now() - started;
  return { ms, code: Number(await engine.run(["inspect", "--format", "{{.State.ExitCode}}", name])) };
}
