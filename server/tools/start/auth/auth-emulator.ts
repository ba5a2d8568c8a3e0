import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { RequestHandler } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
import { coalesce } from "../../../src/features/notifications/coalesce.ts";
import { DEMO_PROJECT } from "../../lib/settings.ts";
import { UserError } from "../../lib/user-error.ts";
import { exportAccounts, importAccounts, readAccounts, writeAccounts } from "./accounts.ts";

export interface RunningAuthEmulator {
  /** `127.0.0.1:port`, the format of FIREBASE_AUTH_EMULATOR_HOST. */
  host: string;
  projectId: string;
  stop(): void;
}

interface AuthEmulatorOptions {
  /** Where the accounts are stored; without it they are lost on stop. */
  dataDir?: string;
  /** A fixed port; without it any free one. */
  port?: number;
  projectId?: string;
  /** Called with a sentence and link for each email that a real project would have sent. */
  onMail?: (text: string) => void;
}

/**
 * Starts the Firebase Auth emulator on loopback, with the accounts of the last run. The response to a request that may have
 * changed an account is held back until that is stored, so that acknowledged changes survive a kill -9.
 */
export async function startAuthEmulator(options: AuthEmulatorOptions = {}): Promise<RunningAuthEmulator> {
  const { dataDir, port = 0, projectId = DEMO_PROJECT, onMail } = options;
  const emulator = await createEmulator(projectId, onMail);
  let save: (() => Promise<void>) | undefined;
  const server = createServer((request, response) => {
    if (!isOurs(request.headers)) return void response.writeHead(403).end();
    if (save && mayChangeAccounts(request)) holdBack(response, save);
    emulator(request, response);
  });
  await new Promise<void>((done, fail) => {
    server.once("error", () => fail(new UserError(`The Auth emulator cannot use port ${port}.`)));
    server.listen(port, "127.0.0.1", done);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  if (!dataDir) return { host, projectId, stop };
  try {
    // Before the first save: an empty emulator must never overwrite the stored accounts.
    const accounts = readAccounts(dataDir);
    if (accounts) await importAccounts(host, projectId, accounts);
  } catch (error) {
    stop();
    throw error;
  }
  let stored = "";
  const store = async () => {
    const accounts = await exportAccounts(host, projectId);
    const text = JSON.stringify(accounts);
    if (text !== stored) writeAccounts(dataDir, accounts);
    stored = text;
  };
  const saveSoon = coalesce(store, { waitMs: 0 });
  save = () => saveSoon("accounts");
  return { host, projectId, stop };
}

/**
 * The app that `firebase emulators:start` serves, without that program: a process of 400 MB, its hub and logging ports, and
 * the seconds in which it compiles the schema of every request instead of the few that occur.
 */
async function createEmulator(
  projectId: string,
  onMail: AuthEmulatorOptions["onMail"],
): Promise<RequestListener> {
  const require = createRequire(import.meta.url);
  const requireTheirs = createRequire(require.resolve("firebase-tools/package.json"));
  const exegesis = requireTheirs("exegesis-express");
  const { middleware } = exegesis;
  exegesis.middleware = (api: unknown, settings: object) =>
    middleware(api, { ...settings, lazyCompileValidationSchemas: true });
  const { EmulatorLogger } = require("firebase-tools/lib/emulator/emulatorLogger.js");
  EmulatorLogger.prototype.log = (_kind: string, text: string) => {
    if (text.includes("follow this link")) onMail?.(text);
  };
  const { createApp } = require("firebase-tools/lib/emulator/auth/server.js");
  return createApp(projectId);
}

/**
 * Whether a request was sent by the product's own page, or by a program. The emulator lets any origin read everything, also
 * accounts and passwords; the proxies and the browser leave `Host` as it was typed, so the page's own origin has the same. A
 * name that is not this machine's may be one that an attacker's DNS resolves to it.
 */
function isOurs({ host = "", origin }: IncomingMessage["headers"]): boolean {
  const isLocal = /^((.+\.)?localhost|[\d.]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host);
  return isLocal && (origin === undefined || origin === `http://${host}` || origin === `https://${host}`);
}

function mayChangeAccounts({ method = "", url = "" }: IncomingMessage): boolean {
  // Links in emails are GET requests that change the account.
  return !["GET", "HEAD", "OPTIONS"].includes(method) || url.startsWith("/emulator/action");
}

/** Sends a response only after `work`, and if that fails, not at all. */
function holdBack(response: ServerResponse, work: () => Promise<void>): void {
  // Until its end: some are written in parts.
  response.cork();
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((...args: unknown[]) => {
    work().then(
      () => end(...args),
      (error: Error) => {
        process.stderr.write(`\nThe account could not be saved: ${error.message}\n`);
        response.destroy();
      },
    );
    return response;
  }) as typeof response.end;
}

const EMULATOR_PATHS = /^\/(identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com|emulator)\//;

/** Serves the Auth emulator on the product's own origin, so that the browser talks to one host only. */
export function emulatorProxy(host: string): RequestHandler {
  return createProxyMiddleware({
    target: `http://${host}`,
    pathFilter: (_path, request) => EMULATOR_PATHS.test(request.url ?? ""),
  });
}
