import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT, SERVER } from "../lib/paths.ts";
import { caddyfileProblems, composeProblems, deploymentProblems, dockerfileProblems } from "./deployment.ts";

const dockerfile = readFileSync(join(SERVER, "deploy/Dockerfile"), "utf8");
const ignore = readFileSync(join(ROOT, ".dockerignore"), "utf8");
const caddyfile = readFileSync(join(SERVER, "deploy/Caddyfile"), "utf8");
const compose = readFileSync(join(SERVER, "deploy/compose.yaml"), "utf8");
const ENV = [
  "NODE_ENV",
  "MONGODB_URI",
  "FIREBASE_PROJECT_ID",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "TRUST_PROXY",
];
const MORE_ENV = ["METRICS_PORT", "METRICS_HOST", "SMTP_URL", "MAIL_FROM", "WEB_URL"];
const example = `\n${[...ENV, ...MORE_ENV].map((name) => `#${name}=x`).join("\n")}`;

test("When the deployment files are checked, then there are no problems", () => {
  expect(deploymentProblems()).toEqual([]);
});

test.each([
  ["an unknown instruction", "STOPSIGNAL SIGTERM", "STOPP SIGTERM", /line \d+: Unknown instruction/],
  ["root", "USER 1000:1000", "USER root", /must not run as root/],
  ["a shell form command", 'CMD ["node", "--enable', "CMD node --enable", /exec form/],
  ["no health check", /HEALTHCHECK[\s\S]*?\n\s+CMD .*\n/, "", /healthy/],
  ["an image without a version", /FROM \S+ AS api/, "FROM debian AS api", /no version/],
  [
    "a file excluded by .dockerignore",
    "deploy/Caddyfile",
    "deploy/compose.yaml",
    /keeps server\/deploy\/compose/,
  ],
])("When the Dockerfile has %s, then that is reported", (_case, from, to, problem) => {
  const changed = dockerfile.replace(from, to);
  expect(changed).not.toBe(dockerfile);
  expect(dockerfileProblems(changed, ignore).join("\n")).toMatch(problem);
});

test.each([
  ["an unknown key", "read_only: true", "readonly: true", /additional properties/],
  ["a third instance", "  proxy:\n", "  api3:\n    <<: *api\n  proxy:\n", /two instances/],
  ["privileges", 'security_opt: ["no-new-privileges:true"]', "security_opt: []", /without privileges/],
  ["no way to back up", "MONGODB_URI: *mongodb-uri", "MONGODB_URI: mongodb://mongo1", /backups need a way/],
  ["no volume for earlier builds", ', "builds:/builds"', "", /files of earlier builds/],
  ["a variable that nothing reads", "TRUST_PROXY:", "TRUST_PROXIES:", /TRUST_PROXIES is set/],
])("When the compose file has %s, then that is reported", (_case, from, to, problem) => {
  const changed = compose.replace(from, to);
  expect(changed).not.toBe(compose);
  expect(composeProblems(changed, example).join("\n")).toMatch(problem);
});

test.each([
  [
    "a request body limit",
    "reverse_proxy",
    "request_body {\n\t\t\tmax_size 1MB\n\t\t}\n\t\treverse_proxy",
    /502/,
  ],
  ["filters that Caddy 2.6 does not know", "wrap json", "", /2\.6/],
  ["queries in its log", /request>uri .*/, "", /neither queries/],
  ["Referer headers in its log", /request>headers>Referer .*/, "", /neither queries/],
  ["Link headers in its log", /resp_headers>Link .*/, "", /neither queries/],
  ["Location headers in its log", /resp_headers>Location .*/, "", /neither queries/],
  ["a log filter that does not cover errors", /^\{\n[\s\S]*?^\}/m, "", /global options/],
  ["files without HSTS", /header Strict-Transport-Security .*/, "", /HSTS/],
  ["immutable caching of missing files", /\n\t\tfile \{[\s\S]*?\n\t\t\}/, "", /404 would be kept/],
  [
    "immutable caching of pages",
    "\thandle {",
    "\theader Cache-Control immutable\n\thandle {",
    /404 would be kept/,
  ],
])("When the Caddyfile has %s, then that is reported", (_case, from, to, problem) => {
  const changed = caddyfile.replace(from, to);
  expect(changed).not.toBe(caddyfile);
  expect(caddyfileProblems(changed).join("\n")).toMatch(problem);
});

test("When builds replace each other, then the proxy keeps the files of the latest, and those replaced within 30 days", () => {
  const folder = mkdtempSync(join(tmpdir(), "tasklane-assets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kept = join(folder, "builds");
  mkdirSync(kept);
  const start = (...names: string[]) => {
    const build = join(folder, names.join());
    mkdirSync(join(build, "assets"), { recursive: true });
    for (const name of names) writeFileSync(join(build, "assets", name), name);
    execFileSync("sh", [join(SERVER, "deploy/keep-assets.sh"), build, kept]);
    return readdirSync(join(kept, "assets")).sort();
  };
  const ageFiles = (days: number) => {
    for (const name of readdirSync(join(kept, "assets"))) {
      const path = join(kept, "assets", name);
      const at = statSync(path).mtimeMs / 1_000 - days * 86_400;
      utimesSync(path, at, at);
    }
  };
  expect(start("a", "same")).toEqual(["a", "same"]);
  ageFiles(60);
  expect(start("b", "same")).toEqual(["a", "b", "same"]);
  ageFiles(20);
  // A restart does not count as a new build.
  expect(start("b", "same")).toEqual(["a", "b", "same"]);
  ageFiles(20);
  expect(start("c")).toEqual(["b", "c", "same"]);
});
