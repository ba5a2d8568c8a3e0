/** What server, client and tests agree on. Imports zod only (zod/mini: a fifth of zod's size in the browser). */
export * from "./answers.ts";
export * from "./dates.ts";
export * from "./errors.ts";
export * from "./task.ts";
export * from "./text.ts";
