// @ts-check
import { register } from "tsx/esm/api";

/**
 * Imports a TypeScript file and its static imports through tsx. Later dynamic imports bypass tsx: they load the built server,
 * and rewriting that bundle of five megabytes would cost each start a second and 480 MB.
 * @param {string} url of the file
 */
export async function importTs(url) {
  const unregister = register();
  try {
    return await import(url);
  } finally {
    await unregister();
  }
}
