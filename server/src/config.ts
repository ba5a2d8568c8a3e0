import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const ENVIRONMENTS = ["production", "development", "test"] as const;

/** Everything the server can be told from outside, checked and typed; see `.env.example`. */
export type Config = {
  env: (typeof ENVIRONMENTS)[number];
  /** TCP port; 0 lets the system choose one. */
  port: number;
  /** Address to listen on; without it every interface, or the loopback ones while an emulator is configured. */
  host?: string;
  mongodb: { uri: string; dbName: string };
  firebase: {
    projectId: string;
    emulatorHost?: string;
    /** Ask Firebase before each write whether the session was revoked; needs a service account's credentials. */
    checkRevoked?: boolean;
  };
  /** Origins of other sites that may call the API from a browser. */
  corsOrigins: string[];
  /** Folder of the built client, when this server also serves it. */
  webRoot?: string;
  logLevel: (typeof LOG_LEVELS)[number];
  /** How e-mail is sent; without it none is. */
  mail?: MailConfig;
  /** How many reverse proxies stand in front (Express `trust proxy`). */
  trustProxy: number;
  /** Limit how much one person and one address may do? */
  rateLimits: boolean;
  /** Where Prometheus may read; nowhere without it. */
  metrics?: { host: string; port: number };
  /** How long requests are still taken after the signal to stop, while `/ready` says no, in milliseconds. */
  stopDelayMs: number;
};

/** `from` stands in every e-mail; `webUrl` and `apiUrl` are the public origins that its links lead to. */
export type MailConfig = { smtpUrl: string; from: string; webUrl: string; apiUrl: string };

/** The environment cannot be used; the message lists everything that is wrong, one line each. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `Tasklane cannot start, the configuration needs a correction:\n${problems.map((p) => `  - ${p}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

type Environment = Record<string, string | undefined>;

/**
 * Reads the configuration from environment variables. Empty variables count as absent.
 * @throws {ConfigError} naming every wrong or missing variable, never their secret parts.
 */
export function loadConfig(environment: Environment): Config {
  const problems: string[] = [];
  const read = (name: string) => environment[name]?.trim() || undefined;

  const env = oneOf("NODE_ENV", read("NODE_ENV") ?? "development", ENVIRONMENTS, problems);
  const emulatorHost = read("FIREBASE_AUTH_EMULATOR_HOST");
  const mongodb = mongodbOf(read("MONGODB_URI"), problems);
  const firebase = firebaseOf(read("FIREBASE_PROJECT_ID"), emulatorHost, env === "production", problems);
  const corsOrigins = originsOf(read("CORS_ORIGIN") ?? defaultOrigins(env), problems);
  const webRoot = webRootOf(read("WEB_ROOT"), problems);
  const port = wholeNumber("PORT", read("PORT") ?? "3000", 65_535, problems);
  const trustProxy = wholeNumber("TRUST_PROXY", read("TRUST_PROXY") ?? "0", 10, problems);
  // A terminal shows what needs attention; a production log shows every request.
  const logLevel = oneOf(
    "LOG_LEVEL",
    read("LOG_LEVEL") ?? (env === "production" ? "info" : "warn"),
    LOG_LEVELS,
    problems,
  );
  const host = read("HOST");
  const rateLimits = oneOf("RATE_LIMITS", read("RATE_LIMITS") ?? "on", ["on", "off"], problems) === "on";
  const metricsPort = read("METRICS_PORT");
  const metrics = metricsPort !== undefined && {
    port: wholeNumber("METRICS_PORT", metricsPort, 65_535, problems),
    host: read("METRICS_HOST") ?? "127.0.0.1",
  };
  // A balancer needs a moment to notice; a person who presses Ctrl-C does not want to wait for one.
  const stopDelay = read("STOP_DELAY_MS") ?? (env === "production" ? "2000" : "0");
  const stopDelayMs = wholeNumber("STOP_DELAY_MS", stopDelay, MOST_STOP_DELAY_MS, problems);
  const checkRevoked = emulatorHost !== undefined || read("GOOGLE_APPLICATION_CREDENTIALS") !== undefined;
  const mail = mailOf(
    {
      smtpUrl: read("SMTP_URL"),
      from: read("MAIL_FROM"),
      webUrl: read("WEB_URL"),
      apiUrl: read("API_URL"),
    },
    problems,
  );

  if (problems.length > 0) throw new ConfigError(problems);
  return {
    env,
    port,
    ...(host && { host }),
    mongodb,
    firebase: { ...firebase, checkRevoked },
    corsOrigins,
    ...(webRoot && { webRoot }),
    ...(mail && { mail }),
    logLevel,
    trustProxy,
    rateLimits,
    ...(metrics && { metrics }),
    stopDelayMs,
  };
}

/** Stopping takes ten seconds at most, and requests in flight need most of them. */
const MOST_STOP_DELAY_MS = 3_000;

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[], problems: string[]): T {
  const found = allowed.find((option) => option === value);
  if (found !== undefined) return found;
  problems.push(`${name} is "${value}": use one of ${allowed.join(", ")}.`);
  return allowed[0] as T;
}

function wholeNumber(name: string, value: string, max: number, problems: string[]): number {
  const number = Number(value);
  if (/^\d{1,5}$/.test(value) && number <= max) return number;
  problems.push(`${name} is "${value}": use a whole number from 0 to ${max}.`);
  return 0;
}

const DEFAULT_DB_NAME = "tasklane";
const MONGODB_URI = /^mongodb(?:\+srv)?:\/\/[^/?]+(?:\/([^?]*))?(?:\?.*)?$/;

// The connection string may hold a password, so no message repeats it.
function mongodbOf(uri: string | undefined, problems: string[]): Config["mongodb"] {
  const match = uri === undefined ? null : MONGODB_URI.exec(uri);
  const dbName = match?.[1] || DEFAULT_DB_NAME;
  if (uri === undefined) {
    problems.push(
      "MONGODB_URI is missing: give the connection string of a MongoDB replica set, like " +
        "mongodb://localhost:27017/tasklane?replicaSet=rs0. (`npm start` brings its own database and sets this for you.)",
    );
  } else if (!match) {
    problems.push("MONGODB_URI must look like mongodb://host:27017/tasklane or mongodb+srv://host/tasklane.");
  } else if (!/^[\w-]{1,63}$/.test(dbName)) {
    problems.push("MONGODB_URI names a database after the host: use letters, digits, - and _ only.");
  }
  return { uri: uri ?? "", dbName };
}

function firebaseOf(
  projectId: string | undefined,
  emulatorHost: string | undefined,
  production: boolean,
  problems: string[],
): Omit<Config["firebase"], "checkRevoked"> {
  if (emulatorHost !== undefined && production) {
    problems.push(
      "FIREBASE_AUTH_EMULATOR_HOST is set together with NODE_ENV=production: with an emulator configured, tokens " +
        "that anybody can forge are accepted. Remove one of the two.",
    );
  } else if (emulatorHost !== undefined && !/^(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/.test(emulatorHost)) {
    problems.push(`FIREBASE_AUTH_EMULATOR_HOST is "${emulatorHost}": use host:port, like 127.0.0.1:9099.`);
  }
  if (projectId === undefined && emulatorHost === undefined) {
    problems.push(
      "FIREBASE_PROJECT_ID is missing: give the id of your Firebase project (or, on a development machine, FIREBASE_AUTH_EMULATOR_HOST).",
    );
  } else if (projectId !== undefined && !/^[a-z][a-z\d-]{3,28}[a-z\d]$/.test(projectId)) {
    problems.push(`FIREBASE_PROJECT_ID is "${projectId}": that is not the id of a Firebase project.`);
  }
  return { projectId: projectId ?? "demo-tasklane", ...(emulatorHost && { emulatorHost }) };
}

// `npm run dev` serves the client from Vite's port; a production names its sites itself.
function defaultOrigins(env: Config["env"]): string {
  return env === "production" ? "" : "http://localhost:5173,http://127.0.0.1:5173";
}

function originsOf(list: string, problems: string[]): string[] {
  const origins = list.split(",").flatMap((entry) => entry.trim() || []);
  for (const origin of origins) {
    if (isOrigin(origin)) continue;
    problems.push(
      `CORS_ORIGIN holds "${origin}": use origins like https://tasklane.example (no path, no slash at the end, no *), separated by commas.`,
    );
  }
  return origins;
}

function isOrigin(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.origin === value && /^https?:$/.test(url.protocol);
}

type Given = { [name in keyof MailConfig]: string | undefined };

// The SMTP address may hold a password, so no message repeats it.
function mailOf({ smtpUrl, from, webUrl, apiUrl }: Given, problems: string[]): MailConfig | undefined {
  if (smtpUrl === undefined && from === undefined) return undefined;
  const missing = (name: string, what: string) =>
    problems.push(`${name} is missing: to send e-mail give SMTP_URL, MAIL_FROM and WEB_URL; ${what}.`);
  if (smtpUrl === undefined) missing("SMTP_URL", "leave MAIL_FROM out to send none");
  else if (!/^smtps?:\/\/[^/?#\s]+\/?(?:\?\S*)?$/.test(smtpUrl) || !URL.canParse(smtpUrl))
    problems.push(
      "SMTP_URL must look like smtps://user:password@mail.example:465 or smtp://mail.example:587.",
    );
  if (from === undefined) missing("MAIL_FROM", "leave SMTP_URL out to send none");
  else if (!/^(?:[^<>"\p{Cc}]+ <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/u.test(from))
    problems.push(`MAIL_FROM is "${from}": use an address like Tasklane <post@tasklane.example>.`);
  if (webUrl === undefined) missing("WEB_URL", "e-mails lead to the web app");
  for (const [name, url] of Object.entries({ WEB_URL: webUrl, API_URL: apiUrl }))
    if (url !== undefined && !isOrigin(url))
      problems.push(
        `${name} is "${url}": use an origin like https://tasklane.example (no path, no slash at the end).`,
      );
  return { smtpUrl: smtpUrl ?? "", from: from ?? "", webUrl: webUrl ?? "", apiUrl: apiUrl ?? webUrl ?? "" };
}

function webRootOf(folder: string | undefined, problems: string[]): string | undefined {
  if (folder === undefined) return undefined;
  const webRoot = resolve(folder);
  if (!existsSync(join(webRoot, "index.html"))) {
    problems.push(`WEB_ROOT is "${folder}", but there is no index.html in it: build the client first.`);
  }
  return webRoot;
}
