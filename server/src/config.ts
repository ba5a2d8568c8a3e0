import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import * as z from "zod";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const ENVIRONMENTS = ["production", "development", "test"] as const;

/** The server's configuration, validated and typed; see `.env.example`. */
export type Config = ReturnType<typeof loadConfig>;

/** `from` is the sender of every email; links in emails point to the public origins `webUrl` and `apiUrl`. */
export type MailConfig = { smtpUrl: string; from: string; webUrl: string; apiUrl: string };

/** The environment variables are invalid; the message lists every problem on a line of its own. */
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

/** A shutdown takes at most ten seconds, and requests in flight may need most of them. */
const MAX_STOP_DELAY_MS = 3_000;
const DEFAULT_DB_NAME = "tasklane";
const MONGODB_URI = /^mongodb(?:\+srv)?:\/\/[^/?]+(?:\/([^?]*))?(?:\?.*)?$/;
const MAIL_FROM = /^(?:[^<>"\p{Cc}]+ <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/u;

// Messages continue after the variable's name. Values that may contain a password are never quoted.
const VALUE = "{value}";

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `is "${VALUE}": use one of ${values.join(", ")}.`);
const wholeNumber = (max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) <= max,
      `is "${VALUE}": use a whole number from 0 to ${max}.`,
    )
    .transform(Number);
const host = z
  .string()
  .refine(
    (name) => isIP(name) !== 0 || /^[\w.-]+$/.test(name),
    `is "${VALUE}": use an address like 127.0.0.1 or a name, without scheme and port.`,
  );
const origin = z
  .string()
  .refine(
    isOrigin,
    `is "${VALUE}": use an origin like https://tasklane.example (no path, no slash at the end).`,
  );

const environmentSchema = z.object({
  NODE_ENV: oneOf(ENVIRONMENTS).default("development"),
  PORT: wholeNumber(65_535).default(3_000),
  HOST: host.optional(),
  MONGODB_URI: z
    .string(
      "is missing: give the connection string of a MongoDB replica set, like " +
        "mongodb://localhost:27017/tasklane?replicaSet=rs0. (`npm start` brings its own database and sets this for you.)",
    )
    .regex(MONGODB_URI, {
      error: "must look like mongodb://host:27017/tasklane or mongodb+srv://host/tasklane.",
      abort: true,
    })
    .transform((uri) => ({ uri, dbName: MONGODB_URI.exec(uri)?.[1] || DEFAULT_DB_NAME }))
    .refine(
      ({ dbName }) => /^[\w-]{1,63}$/.test(dbName),
      "names a database after the host: use letters, digits, - and _ only.",
    ),
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(/^[a-z][a-z\d-]{3,28}[a-z\d]$/, `is "${VALUE}": that is not the id of a Firebase project.`)
    .optional(),
  FIREBASE_AUTH_EMULATOR_HOST: z
    .string()
    .refine(
      (text) => /^(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/.test(text) && URL.canParse(`http://${text}`),
      `is "${VALUE}": use host:port, like 127.0.0.1:9099.`,
    )
    .optional(),
  GOOGLE_APPLICATION_CREDENTIALS: z.string().optional(),
  CORS_ORIGIN: z
    .string()
    .transform((list) => list.split(",").flatMap((entry) => entry.trim() || []))
    .pipe(
      z.array(
        z
          .string()
          .refine(
            isOrigin,
            `contains "${VALUE}": use origins like https://tasklane.example (no path, no slash at the end, no *), separated by commas.`,
          ),
      ),
    )
    .optional(),
  WEB_ROOT: z
    .string()
    .refine(
      (folder) => existsSync(join(resolve(folder), "index.html")),
      `is "${VALUE}", but there is no index.html in it: build the client first.`,
    )
    .transform((folder) => resolve(folder))
    .optional(),
  LOG_LEVEL: oneOf(LOG_LEVELS).optional(),
  TRUST_PROXY: wholeNumber(10).default(0),
  RATE_LIMITS: oneOf(["on", "off"]).default("on"),
  BIDS_PER_DAY: wholeNumber(10_000).default(20),
  TASKS_PER_DAY: wholeNumber(10_000).default(20),
  METRICS_PORT: wholeNumber(65_535).optional(),
  METRICS_HOST: host.default("127.0.0.1"),
  STOP_DELAY_MS: wholeNumber(MAX_STOP_DELAY_MS).optional(),
  SMTP_URL: z
    .string()
    .refine(
      (url) => /^smtps?:\/\/[^/?#\s]+\/?(?:\?\S*)?$/.test(url) && URL.canParse(url),
      "must look like smtps://user:password@mail.example:465 or smtp://mail.example:587.",
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(MAIL_FROM, `is "${VALUE}": use an address like Tasklane <post@tasklane.example>.`)
    .optional(),
  S3_URL: z
    .string()
    .refine(
      (url) =>
        /^https?:\/\/[^:@/\s]+:[^@/\s]+@[^/?#\s]+\/[\w.-]{3,63}(?:\?region=[\w-]+)?$/.test(url) &&
        URL.canParse(url),
      "must look like https://key:secret@s3.example/bucket, with key and secret URL-encoded.",
    )
    .optional(),
  CLAMD_URL: z
    .string()
    .refine(
      (url) => /^tcp:\/\/[\w.-]+:\d{1,5}$/.test(url) && URL.canParse(url),
      `is "${VALUE}": use tcp://host:port, like tcp://127.0.0.1:3310.`,
    )
    .optional(),
  WEB_URL: origin.optional(),
  API_URL: origin.optional(),
});

type Variable = keyof typeof environmentSchema.shape;
/** The names of all environment variables that the server reads. */
export const VARIABLES = Object.keys(environmentSchema.shape) as readonly Variable[];
type Given = Partial<Record<Variable, string>>;

/**
 * Reads the configuration from environment variables. Empty variables count as absent.
 * @throws {ConfigError} naming every wrong or missing variable, without secrets.
 */
export function loadConfig(environment: Record<string, string | undefined>) {
  const given: Given = Object.fromEntries(
    VARIABLES.flatMap((name) => {
      const value = environment[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
  const { data, error } = environmentSchema.safeParse(given, { reportInput: true });
  const wrong = error?.issues.map(
    ({ path, message, input }) => `${String(path[0])} ${message.replace(VALUE, () => String(input))}`,
  );
  const problems = [...(wrong ?? []), ...combinationProblems(given)];
  if (!data || problems.length > 0) throw new ConfigError(problems);

  const production = data.NODE_ENV === "production";
  const rateLimits = data.RATE_LIMITS === "on";
  const emulatorHost = data.FIREBASE_AUTH_EMULATOR_HOST;
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, WEB_URL: webUrl, API_URL: apiUrl } = data;
  const mail: MailConfig | undefined =
    smtpUrl && from && webUrl ? { smtpUrl, from, webUrl, apiUrl: apiUrl ?? webUrl } : undefined;
  return {
    env: data.NODE_ENV,
    /** TCP port; 0 lets the system choose one. */
    port: data.PORT,
    /** Address to listen on; by default every interface, or only loopback while an emulator is configured. */
    host: data.HOST,
    mongodb: data.MONGODB_URI,
    firebase: {
      projectId: data.FIREBASE_PROJECT_ID ?? "demo-tasklane",
      emulatorHost,
      /** Whether to ask Firebase before each write if the session was revoked; needs service account credentials. */
      checkRevoked: emulatorHost !== undefined || data.GOOGLE_APPLICATION_CREDENTIALS !== undefined,
    },
    /**
     * Origins of other sites that may call the API from a browser. `npm run dev` serves the client from Vite's port; in
     * production, CORS_ORIGIN lists the sites.
     */
    corsOrigins: data.CORS_ORIGIN ?? (production ? [] : ["http://localhost:5173", "http://127.0.0.1:5173"]),
    /** Folder of the built client, if this server also serves it. */
    webRoot: data.WEB_ROOT,
    /** Public origin of the web app; without it, which production refuses, absolute links point to this machine. */
    webUrl,
    /** How email is sent; without it none is sent. */
    mail,
    /** S3-compatible storage for files, `https://key:secret@host/bucket`; by default they are in the database. */
    s3Url: data.S3_URL,
    /** The virus scanner, ClamAV's `clamd`, as `tcp://host:port`; without it files are marked as not scanned. */
    clamdUrl: data.CLAMD_URL,
    // A developer's terminal shows only what needs attention; production logs show every request.
    logLevel: data.LOG_LEVEL ?? (production ? "info" : "warn"),
    /** The number of reverse proxies in front of the server (Express `trust proxy`). */
    trustProxy: data.TRUST_PROXY,
    /** Whether requests per person and per address are limited. */
    rateLimits,
    /** How many bids a freelancer can place per day (UTC); unlimited by default. */
    bidsPerDay: (rateLimits && data.BIDS_PER_DAY) || undefined,
    /** How many tasks a client can post per day (UTC), a new account a quarter of them; unlimited by default. */
    tasksPerDay: (rateLimits && data.TASKS_PER_DAY) || undefined,
    /** Where metrics are served for Prometheus; not at all by default. */
    metrics:
      data.METRICS_PORT === undefined ? undefined : { port: data.METRICS_PORT, host: data.METRICS_HOST },
    /**
     * How long requests are still accepted after the stop signal, while `/ready` already fails, in milliseconds. A load
     * balancer needs a moment to notice; a developer who presses Ctrl-C does not want to wait.
     */
    stopDelayMs: data.STOP_DELAY_MS ?? (production ? 2_000 : 0),
  };
}

/** Problems of variables in combination, such as two that exclude each other. */
function combinationProblems(given: Given): string[] {
  const problems: string[] = [];
  if (given.FIREBASE_AUTH_EMULATOR_HOST && given.NODE_ENV === "production")
    problems.push(
      "FIREBASE_AUTH_EMULATOR_HOST is set together with NODE_ENV=production: with an emulator configured, tokens " +
        "that anybody can forge are accepted. Remove one of the two.",
    );
  if (!given.FIREBASE_AUTH_EMULATOR_HOST && !given.FIREBASE_PROJECT_ID)
    problems.push(
      "FIREBASE_PROJECT_ID is missing: give the id of your Firebase project (or, on a development machine, FIREBASE_AUTH_EMULATOR_HOST).",
    );
  const credentials = given.GOOGLE_APPLICATION_CREDENTIALS;
  if (credentials && !given.FIREBASE_AUTH_EMULATOR_HOST && !isCredentialsFile(credentials))
    problems.push(
      `GOOGLE_APPLICATION_CREDENTIALS is "${credentials}": no service account's key can be read there.`,
    );
  const sendsMail = given.SMTP_URL !== undefined || given.MAIL_FROM !== undefined;
  for (const name of ["SMTP_URL", "MAIL_FROM"] as const)
    if (sendsMail && !given[name])
      problems.push(`${name} is missing: to send email give SMTP_URL and MAIL_FROM; to send none, neither.`);
  if (!given.WEB_URL && (sendsMail || given.NODE_ENV === "production"))
    problems.push(
      "WEB_URL is missing: give the web app's public origin, like https://tasklane.example, to which sitemap, feed, " +
        "link previews and emails link.",
    );
  return problems;
}

/** Google's credentials of every kind name their type. */
function isCredentialsFile(file: string): boolean {
  try {
    return typeof JSON.parse(readFileSync(file, "utf8")).type === "string";
  } catch {
    return false;
  }
}

function isOrigin(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.origin === value && /^https?:$/.test(url.protocol);
}
