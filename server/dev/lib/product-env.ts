import { VARIABLES } from "../../src/config.ts";

/** The environment of a process of the product that knows these settings only, whatever a person's shell and .env hold. */
export function productEnv(settings: Partial<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot } = process.env;
  // Empty counts as absent, and hides the .env.
  const hidden = Object.fromEntries(VARIABLES.map((name) => [name, ""]));
  return { PATH, HOME, SystemRoot, ...hidden, ...settings };
}
