// @ts-check
import { register } from "tsx/esm/api";

/**
 * Imports a TypeScript file with what it imports statically. What is imported later does not pass tsx, because it is the
 * built server: rewriting a bundle of five megabytes took a second and 480 MB of each start.
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
