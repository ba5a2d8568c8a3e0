import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The top of the checkout. */
export const ROOT = resolve(import.meta.dirname, "../../..");
export const SERVER = join(ROOT, "server");
export const CLIENT = join(ROOT, "client");
/** Where the built client lies, precompressed, ready to be served. */
export const WEB_ROOT = join(CLIENT, "dist");

/** The folder that holds everything the embedded product stores: `DATA_DIR`, or `.data` in the checkout. */
export function dataDir(env: Record<string, string | undefined>): string {
  return resolve(ROOT, env["DATA_DIR"] || ".data");
}

/** A per-user cache for what is fetched once and shared by all checkouts (the database binary). */
export function cacheDir(): string {
  if (process.env["XDG_CACHE_HOME"]) return join(process.env["XDG_CACHE_HOME"], "tasklane");
  if (process.platform === "win32" && process.env["LOCALAPPDATA"]) {
    return join(process.env["LOCALAPPDATA"], "tasklane", "cache");
  }
  return join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache", "tasklane");
}
