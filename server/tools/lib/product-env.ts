import { VARIABLES } from "../../src/config.ts";

/** The environment for a server process with exactly these settings, whatever the shell and .env contain. */
export function productEnv(settings: Partial<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot } = process.env;
  // An empty variable counts as unset and overrides the .env.
  const hidden = Object.fromEntries(VARIABLES.map((name) => [name, ""]));
  return { PATH, HOME, SystemRoot, ...hidden, ...settings };
}
