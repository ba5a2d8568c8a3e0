import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { ROOT, SERVER } from "./paths.ts";
import { run, which } from "./run.ts";
import { DEMO_PROJECT } from "./settings.ts";
import { UserError } from "./user-error.ts";

const ENGINES = ["podman", "docker"] as const;
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;
const SHOWN_LINES = 15;

/** Build variables for images that are only checked: nobody logs in to their web app. */
export const CHECK_VARIABLES = {
  VITE_FIREBASE_API_KEY: "check",
  VITE_FIREBASE_AUTH_DOMAIN: "check.example",
  VITE_FIREBASE_PROJECT_ID: DEMO_PROJECT,
};

/** A container engine; Podman and Docker share all the commands we use. */
export type Engine = {
  name: (typeof ENGINES)[number];
  /** Runs a command. @returns its standard output. @throws {UserError} with the end of its output. */
  run(args: readonly string[], options?: { signal?: AbortSignal }): Promise<string>;
};

/** The first working engine on this machine, or why there is none. */
export async function findEngine(): Promise<Engine | { missing: string }> {
  if (process.platform !== "linux")
    return { missing: "only on Linux can a container share the network with the database" };
  const reasons: string[] = [];
  for (const name of ENGINES) {
    if (!which(name)) continue;
    const { code, output } = await run(name, ["info"]);
    if (code === 0) return { name, run: (args, options) => runWith(name, args, options) };
    reasons.push(`${name} does not work (${lastLines(output, 1)})`);
  }
  return { missing: reasons.join(", ") || `${ENGINES.join(" and ")} are not installed` };
}

async function runWith(
  name: string,
  args: readonly string[],
  { signal }: { signal?: AbortSignal } = {},
): Promise<string> {
  try {
    const options = { cwd: ROOT, maxBuffer: MAX_OUTPUT_BYTES, ...(signal && { signal }) };
    return (await promisify(execFile)(name, args, options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    const output = lastLines(`${stdout}\n${stderr}`, SHOWN_LINES) || String(error);
    throw new UserError(`${output}\n\n\`${name} ${args.slice(0, 2).join(" ")} …\` failed (see above).`);
  }
}

const lastLines = (text: string, count: number) => text.trim().split("\n").slice(-count).join("\n");

/**
 * Builds a stage of `server/deploy/Dockerfile`.
 * @param variables `VITE_*`, for the web app.
 */
export async function buildImage(
  engine: Engine,
  { target, tag, variables, signal }: { target: string; tag: string; variables: object; signal: AbortSignal },
): Promise<void> {
  const args = Object.entries(variables).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
  // Podman's default, the OCI format, does not support HEALTHCHECK.
  const format = engine.name === "podman" ? ["--format", "docker"] : [];
  const file = join(SERVER, "deploy", "Dockerfile");
  await engine.run(["build", ...format, "--file", file, "--target", target, "--tag", tag, ...args, ROOT], {
    signal,
  });
}

/**
 * Runs an image in the background with the restrictions of its service in `compose.yaml`. It shares the host's network,
 * because the database listens on loopback.
 */
export async function startContainer(
  engine: Engine,
  { name, image, service, environment, options = [] }: ContainerOptions,
): Promise<void> {
  const compose = readFileSync(join(SERVER, "deploy", "compose.yaml"), "utf8");
  const variables = Object.entries(environment).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  const fixed = ["--detach", "--name", name, "--network", "host", ...hardeningOf(compose, service)];
  await engine.run(["run", ...fixed, ...options, ...variables, image]);
}

type ContainerOptions = {
  name: string;
  image: string;
  /** Its name in `compose.yaml`. */
  service: string;
  environment: object;
  /** Further options for `run`. */
  options?: readonly string[];
};

/** Stops and removes a container, even one that failed to start. */
export async function removeContainer(engine: Engine, name: string): Promise<void> {
  await engine.run(["rm", "--force", name]).catch(() => undefined);
}

type Service = {
  init?: boolean;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
};

/** A service's restrictions in `compose.yaml` as options of `docker run` and `podman run`, to test it as deployed. */
function hardeningOf(compose: string, name: string): string[] {
  const { services } = parse(compose, { merge: true }) as { services: Record<string, Service | undefined> };
  const service = services[name];
  if (!service) throw new Error(`The compose file has no service ${name}.`);
  const { init, read_only, tmpfs, cap_drop, cap_add, security_opt, mem_limit, pids_limit } = service;
  const each = (option: string, values: readonly string[] = []) => values.flatMap((value) => [option, value]);
  return [
    ...(init ? ["--init"] : []),
    ...(read_only ? ["--read-only"] : []),
    ...each("--tmpfs", tmpfs),
    ...each("--cap-drop", cap_drop),
    ...each("--cap-add", cap_add),
    ...each("--security-opt", security_opt),
    ...(mem_limit ? ["--memory", mem_limit] : []),
    ...(pids_limit ? ["--pids-limit", String(pids_limit)] : []),
  ];
}
