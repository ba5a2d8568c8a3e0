import { randomBytes } from "node:crypto";
import { appendFile } from "node:fs/promises";
import type { Closer } from "../lib/closer.ts";
import {
  buildImage,
  CHECK_VARIABLES,
  type Engine,
  findEngine,
  removeContainer,
  startContainer,
} from "../lib/container-engine.ts";
import { UserError } from "../lib/user-error.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { requirePort } from "../start/embedded.ts";
import type { Balancer } from "./balancer.ts";
import type { InstanceOptions, ServerProcess } from "./instance.ts";
import { createProxyClient } from "./proxy-client.ts";

/** Runs the two instances in containers, behind the proxy. */
export type Containers = {
  place(name: string): Pick<InstanceOptions, "host" | "port" | "server">;
  /** Starts the proxy; called once both instances are ready. */
  front(closer: Closer): Promise<Balancer>;
};

/** Loopback addresses: each instance uses port 3000, as in the proxy's configuration. */
const HOSTS: Record<string, string> = { one: "127.0.0.2", two: "127.0.0.3" };
const PORT = 3_000;
const PROXY_PORTS = [80, 443];
const ROOT_CERTIFICATE = "/data/caddy/pki/authorities/local/root.crt";
const CERTIFIED = { timeoutMs: 20_000, everyMs: 200 };

/**
 * Builds the images of the instances and the proxy (`server/deploy`), which run with the compose file's permissions.
 * @throws {UserError} without Linux, a container engine and free ports 80 and 443.
 */
export async function buildContainers(progress: (text: string) => void, closer: Closer): Promise<Containers> {
  const engine = await findEngine();
  if ("missing" in engine) throw new UserError(`Containers are not available: ${engine.missing}.`);
  for (const port of PROXY_PORTS) await requirePort(port, "run chaos without --containers.");
  const run = randomBytes(4).toString("hex");
  const nameOf = (part: string) => `tasklane-chaos-${part}-${run}`;
  for (const target of ["api", "proxy"]) {
    progress(`building the image of the ${target}`);
    const tag = `tasklane-${target}-check`;
    await buildImage(engine, { target, tag, variables: CHECK_VARIABLES, signal: closer.signal });
  }
  // Removes containers whose start was interrupted; runs after the instances have closed.
  const names = [...Object.keys(HOSTS), "proxy"].map(nameOf);
  closer.add(async () => void (await Promise.all(names.map((name) => removeContainer(engine, name)))));
  return {
    place(name) {
      const server = (env: NodeJS.ProcessEnv, logFile: string) =>
        containerProcess(engine, nameOf(name), env, logFile);
      return { host: HOSTS[name] ?? "", port: PORT, server };
    },
    async front(closing) {
      const proxy = nameOf("proxy");
      const hosts = Object.values(HOSTS).flatMap((host, index) => ["--add-host", `api${index + 1}:${host}`]);
      await startContainer(engine, {
        ...{ name: proxy, image: "tasklane-proxy-check", service: "proxy" },
        environment: { SITE_ADDRESS: "localhost" },
        // Instead of the volumes, which would outlive the run.
        options: [...hosts, "--tmpfs", "/data", "--tmpfs", "/config"],
      });
      let certificate = "";
      const isCertified = async () => {
        certificate = await engine.run(["exec", proxy, "cat", ROOT_CERTIFICATE]).catch(() => "");
        return certificate !== "";
      };
      if (!(await waitUntil(isCertified, CERTIFIED)))
        throw new UserError(`${await engine.run(["logs", proxy])}\nThe proxy did not start (see above).`);
      const client = createProxyClient(certificate);
      closing.add(() => client.close());
      const isServed = async () => (await client.send({ method: "GET", path: "/ready" })).status === 200;
      if (!(await waitUntil(isServed, CERTIFIED)))
        throw new UserError("Nothing is served through the proxy.");
      return client;
    },
  };
}

/** An instance in a container, which is removed when it ends; each start creates a new one. */
function containerProcess(
  engine: Engine,
  name: string,
  { PATH: _path, HOME: _home, SystemRoot: _root, ...environment }: NodeJS.ProcessEnv,
  logFile: string,
): ServerProcess {
  let running = false;
  let started = Promise.resolve();
  let gone = Promise.resolve();
  return {
    isRunning: () => running,
    start() {
      running = true;
      started = startContainer(engine, { name, image: "tasklane-api-check", service: "api1", environment });
      gone = started
        .then(() => engine.run(["wait", name]))
        .then(() => engine.run(["logs", name]))
        .catch(String)
        // After a run without problems the folder has been deleted.
        .then((log) => appendFile(logFile, log).catch(() => undefined))
        .then(() => removeContainer(engine, name))
        .then(() => {
          running = false;
        });
    },
    async end(signal) {
      await started.catch(() => undefined);
      if (running) await engine.run(["kill", "--signal", signal, name]).catch(() => undefined);
      await gone;
    },
    setClock() {
      throw new Error("A container has the clock of its host.");
    },
  };
}
