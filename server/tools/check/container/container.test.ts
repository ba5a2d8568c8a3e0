import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SERVER } from "../../lib/paths.ts";
import { containerProblems, type Inspected } from "./container-problems.ts";
import { hardeningOf } from "./engine.ts";

const status = (changed: Record<string, string> = {}) => {
  const ids = "1000\t1000\t1000\t1000";
  const none = "0000000000000000";
  const capabilities = { CapInh: none, CapPrm: none, CapEff: none, CapBnd: none, CapAmb: none };
  const fields = { Name: "node", Uid: ids, Gid: ids, Groups: "1000 ", ...capabilities, NoNewPrivs: "1" };
  return Object.entries({ ...fields, ...changed })
    .map(([key, value]) => `${key}:\t${value}\n`)
    .join("");
};

const FOUND: Inspected = {
  sizeBytes: 226_000_000,
  environment: ["PATH=/usr/bin", "NODE_ENV=production"],
  // Processes started with `exec` have no groups.
  processes: status({ Name: "sh", Groups: " ", NStgid: "30" }) + status(),
  writable: ["/tmp"],
  files: [
    "/usr/local/bin/node",
    "/app/server/package.json",
    "/app/server/dist/main.js",
    "/app/client/dist/assets/index-Abc.js",
  ],
};
const withFile = (file: string) => ({ files: [...FOUND.files, file] });

test("When a container is hardened, then there are no problems", () => {
  expect(containerProblems(FOUND)).toEqual([]);
});

test.each<[string, Partial<Inspected>, string]>([
  ["is too large", { sizeBytes: 251_000_000 }, "the image has 251 MB, more than 250 MB"],
  ["sets a secret", { environment: ["NPM_TOKEN=x"] }, "the image sets NPM_TOKEN"],
  ["can be written to", { writable: ["/app", "/tmp"] }, "the file system can be written to: /app"],
  ["has no /tmp", { writable: [] }, "/tmp cannot be written to"],
  [
    "runs as root",
    { processes: status() + status({ Name: "sh", Uid: "0\t0\t0\t0" }) },
    "the process sh has the ids 0 0 0 0 1000 1000 1000 1000 1000",
  ],
  ["is in root's group", { processes: status({ Groups: "0 1000 " }) }, "the process node has the ids"],
  ["has a capability", { processes: status({ CapBnd: "0000000000000400" }) }, "capabilities (CapBnd)"],
  ["could gain privileges", { processes: status({ NoNewPrivs: "0" }) }, "the process node could gain"],
  [
    "has a tool",
    withFile("/app/node_modules/.pnpm/vitest@4.1.12/node_modules/vitest/index.js"),
    "do not belong in it: /app/node_modules/.pnpm/vitest@4.1.12",
  ],
  ["has npm", withFile("/usr/local/lib/node_modules/npm/index.js"), "do not belong in it: /usr/local/lib"],
  ["has sources", withFile("/app/server/src/main.ts"), "do not belong in it: /app/server/src/main.ts"],
  [
    "has tests",
    withFile("/app/server/dist/app.test.js"),
    "do not belong in it: /app/server/dist/app.test.js",
  ],
  [
    "has a secret",
    withFile("/app/server/dist/.env.local"),
    "do not belong in it: /app/server/dist/.env.local",
  ],
])("When a container %s, then that is reported", (_case, changed, problem) => {
  const problems = containerProblems({ ...FOUND, ...changed });
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test("When a container is run, then it gets the restrictions of its service in the compose file", () => {
  const compose = readFileSync(join(SERVER, "deploy/compose.yaml"), "utf8");
  const common = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"];
  const limits = ["--memory", "768m", "--pids-limit", "200"];
  const privileges = ["--security-opt", "no-new-privileges:true"];
  expect(hardeningOf(compose, "api1")).toEqual(["--init", ...common, ...privileges, ...limits]);
  expect(hardeningOf(compose, "proxy")).toEqual([...common, "--cap-add", "NET_BIND_SERVICE", ...privileges]);
});
