import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { type Config, ConfigError, loadConfig } from "./config.ts";

const GOOD = {
  MONGODB_URI: "mongodb://db.example:27017/shop?replicaSet=rs0",
  FIREBASE_PROJECT_ID: "my-project",
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("When only the required variables are set, then the others have their defaults", () => {
  const webUrl = "https://tasklane.example";
  expect(loadConfig({ ...GOOD, NODE_ENV: "production", WEB_URL: webUrl })).toEqual({
    env: "production",
    port: 3000,
    mongodb: { uri: GOOD.MONGODB_URI, dbName: "shop" },
    firebase: { projectId: "my-project", checkRevoked: false },
    corsOrigins: [],
    webUrl,
    logLevel: "info",
    trustProxy: 0,
    rateLimits: true,
    bidsPerDay: 20,
    tasksPerDay: 20,
    stopDelayMs: 2_000,
  });
});

test("When an emulator is configured, then the project may be left out, and production is an error", () => {
  const env = { MONGODB_URI: GOOD.MONGODB_URI, FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099" };
  expect(loadConfig(env).firebase).toMatchObject({
    projectId: "demo-tasklane",
    emulatorHost: "127.0.0.1:9099",
  });
  expect(problemsOf({ ...env, NODE_ENV: "production", WEB_URL: "https://a.example" })).toEqual([
    expect.stringMatching(/^FIREBASE_AUTH_EMULATOR_HOST .*NODE_ENV=production/),
  ]);
});

test.each<[what: string, env: Record<string, string>, named: string[]]>([
  [
    "basic settings",
    {
      ...{ NODE_ENV: "prod", PORT: "70000", MONGODB_URI: "postgres://user:hunter2@db" },
      ...{ FIREBASE_PROJECT_ID: "X", WEB_ROOT: "/nowhere", LOG_LEVEL: "loud", TRUST_PROXY: "yes" },
      CORS_ORIGIN: "https://good.example, *, https://slash.example/",
    },
    [
      ...["NODE_ENV", "PORT", "MONGODB_URI", "FIREBASE_PROJECT_ID", "CORS_ORIGIN", "CORS_ORIGIN"],
      ...["WEB_ROOT", "LOG_LEVEL", "TRUST_PROXY"],
    ],
  ],
  ["an email's sender and link", { SMTP_URL: "smtp://mail.example" }, ["MAIL_FROM", "WEB_URL"]],
  ["a mail server", { MAIL_FROM: "post@a.example", WEB_URL: "https://a.example" }, ["SMTP_URL"]],
  [
    "email",
    {
      ...{ SMTP_URL: "http://user:hunter2@mail.example", MAIL_FROM: "a@b.example\nBcc: c@d.example" },
      ...{ WEB_URL: "https://a.example/app", API_URL: "a.example" },
    },
    ["SMTP_URL", "MAIL_FROM", "WEB_URL", "API_URL"],
  ],
  [
    "storage and scanner",
    { S3_URL: "https://key:hunter2@s3.example", CLAMD_URL: "127.0.0.1:3310" },
    ["S3_URL", "CLAMD_URL"],
  ],
  [
    "limits and metrics",
    { RATE_LIMITS: "some", METRICS_PORT: "x", STOP_DELAY_MS: "60000" },
    ["RATE_LIMITS", "METRICS_PORT", "STOP_DELAY_MS"],
  ],
  ["an address to listen on", { HOST: "http://0.0.0.0", METRICS_HOST: "[::]" }, ["HOST", "METRICS_HOST"]],
  [
    "a port",
    {
      ...{ CLAMD_URL: "tcp://127.0.0.1:99999", FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:99999" },
      S3_URL: "https://key:hunter2@s3.example:99999/files",
    },
    ["CLAMD_URL", "FIREBASE_AUTH_EMULATOR_HOST", "S3_URL"],
  ],
])("When %s is wrong or missing, then each variable is named, without its secret", (_, env, named) => {
  const problems = problemsOf({ ...GOOD, ...env });
  expect(problems.map((problem) => problem.split(" ", 1)[0]).sort()).toEqual(named.toSorted());
  expect(problems.join()).not.toContain("hunter2");
});

test("When required variables are missing or blank, then each is named", () => {
  expect(problemsOf({ MONGODB_URI: "  " })).toEqual([
    expect.stringMatching(/^MONGODB_URI is missing.*npm start/),
    expect.stringMatching(/^FIREBASE_PROJECT_ID is missing/),
  ]);
});

test("When production has no WEB_URL, or credentials that cannot be read, then both are named", () => {
  const folder = temporaryFolder();
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const problemsWith = (credentials: string) =>
    problemsOf({ ...GOOD, NODE_ENV: "production", GOOGLE_APPLICATION_CREDENTIALS: credentials });
  const noUrl = expect.stringMatching(/^WEB_URL is missing.*sitemap/);
  const unreadable = expect.stringMatching(
    /^GOOGLE_APPLICATION_CREDENTIALS is "\/.*no service account's key/,
  );
  expect(problemsWith(join(folder, "nowhere.json"))).toEqual([unreadable, noUrl]);
  for (const content of ["{", "{}", "[]", "null"])
    expect(problemsWith(file("broken.json", content)), content).toEqual([unreadable, noUrl]);
  expect(problemsWith(file("key.json", '{"type":"service_account"}'))).toEqual([noUrl]);
  // The emulator needs none, whatever the shell has.
  const emulator = {
    FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099",
    GOOGLE_APPLICATION_CREDENTIALS: "/nowhere",
  };
  expect(problemsOf({ ...GOOD, ...emulator })).toEqual([]);
});

const S3_URL = "https://key:secret@s3.example/files?region=eu-1";
const CLAMD_URL = "tcp://127.0.0.1:3310";
const WEB_URL = "https://tasklane.example";
const API_URL = "https://api.example";
const SMTP_URL = "smtps://post:pa%20ss@mail.example:465";
const MAIL_FROM = "Tasklane <post@tasklane.example>";
const mail = { smtpUrl: SMTP_URL, from: MAIL_FROM, webUrl: WEB_URL, apiUrl: WEB_URL };
const UNLIMITED = { bidsPerDay: undefined, tasksPerDay: undefined };

test.each<[env: Record<string, string>, read: Partial<Config>]>([
  [
    { SMTP_URL, MAIL_FROM, WEB_URL },
    { mail, webUrl: WEB_URL },
  ],
  [
    { SMTP_URL, MAIL_FROM, WEB_URL, API_URL },
    { mail: { ...mail, apiUrl: API_URL }, webUrl: WEB_URL },
  ],
  // Alone it does not turn email on.
  [{ WEB_URL }, { webUrl: WEB_URL }],
  [
    { S3_URL, CLAMD_URL },
    { s3Url: S3_URL, clamdUrl: CLAMD_URL },
  ],
  [
    { CORS_ORIGIN: "https://a.example , http://localhost:5173" },
    { corsOrigins: ["https://a.example", "http://localhost:5173"] },
  ],
  [{ HOST: "::" }, { host: "::" }],
  [{ RATE_LIMITS: "off" }, { rateLimits: false, ...UNLIMITED }],
  [{ METRICS_PORT: "9464" }, { metrics: { port: 9464, host: "127.0.0.1" } }],
  [{ STOP_DELAY_MS: "1500" }, { stopDelayMs: 1_500 }],
  [
    { BIDS_PER_DAY: "7", TASKS_PER_DAY: "8" },
    { bidsPerDay: 7, tasksPerDay: 8 },
  ],
  [{ BIDS_PER_DAY: "0", TASKS_PER_DAY: "0" }, UNLIMITED],
])("When %j are set, then they are read", (env, read) => {
  expect(loadConfig({ ...GOOD, ...env })).toEqual({ ...loadConfig(GOOD), ...read });
});

test("When a web root and credentials are given, then they are read", () => {
  const folder = temporaryFolder();
  const credentials = join(folder, "firebase.json");
  writeFileSync(credentials, '{"type":"external_account"}');
  writeFileSync(join(folder, "index.html"), "");
  const env = { WEB_ROOT: folder, GOOGLE_APPLICATION_CREDENTIALS: credentials };
  expect(loadConfig({ ...GOOD, ...env })).toMatchObject({
    webRoot: folder,
    firebase: { checkRevoked: true },
  });
});
