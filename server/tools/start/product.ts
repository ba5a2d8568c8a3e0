import { join } from "node:path";
import { pathToFileURL } from "node:url";
// Types only: the built server is what runs.
import type * as ConfigModule from "../../src/config.ts";
import type * as ServeModule from "../../src/serve.ts";
import { SERVER, WEB_ROOT } from "../lib/paths.ts";
import { emulatorProxy } from "./auth/auth-emulator.ts";

export interface ProductOptions {
  mongoUri: string;
  /** The Auth emulator; without it tokens must come from the real project `projectId`. */
  emulatorHost?: string;
  projectId: string;
  /** TCP port; 0 takes a free one. */
  port: number;
  /** The built client to serve; `client/dist` by default. */
  webRoot?: string;
  /** How long copies for visitors live, in ms; see `read-cache.ts`. */
  cacheMs?: number;
  /** Further variables for the server, such as LOG_LEVEL. */
  env?: Record<string, string | undefined>;
}

/** Serves API, web app and the Auth emulator (if there is one) on one origin, in this process, from `server/dist`. */
export async function startProduct(options: ProductOptions): Promise<ServeModule.RunningServer> {
  const { emulatorHost } = options;
  // Libraries read both from the environment. Production refuses an emulator, and the shell may have NODE_ENV=production.
  if (emulatorHost)
    Object.assign(process.env, { FIREBASE_AUTH_EMULATOR_HOST: emulatorHost, NODE_ENV: "development" });
  const { loadConfig } = await built<typeof ConfigModule>("config.js");
  const config = loadConfig({
    ...options.env,
    NODE_ENV: emulatorHost ? "development" : options.env?.["NODE_ENV"],
    PORT: String(options.port),
    MONGODB_URI: options.mongoUri,
    FIREBASE_PROJECT_ID: options.projectId,
    FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
    WEB_ROOT: options.webRoot ?? WEB_ROOT,
  });
  const { serve } = await built<typeof ServeModule>("serve.js");
  const earlyMiddleware = emulatorHost ? [emulatorProxy(emulatorHost)] : [];
  const { cacheMs } = options;
  return serve(config, { earlyMiddleware, ...(cacheMs !== undefined && { cacheMs }) });
}

function built<T>(file: string): Promise<T> {
  return import(pathToFileURL(join(SERVER, "dist", file)).href) as Promise<T>;
}
