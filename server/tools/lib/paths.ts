import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, "../../..");
export const SERVER = join(ROOT, "server");
export const TOOLS = join(SERVER, "tools");
export const CLIENT = join(ROOT, "client");
/** The built client, precompressed. */
export const WEB_ROOT = join(CLIENT, "dist");

/** A per-user cache for downloads that all clones share (the database binary). */
export function cacheDir(): string {
  if (process.env["XDG_CACHE_HOME"]) return join(process.env["XDG_CACHE_HOME"], "tasklane");
  if (process.platform === "win32" && process.env["LOCALAPPDATA"]) {
    return join(process.env["LOCALAPPDATA"], "tasklane", "cache");
  }
  return join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache", "tasklane");
}
