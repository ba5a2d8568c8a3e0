import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { VARIABLES } from "../../src/config.ts";
import { SERVER } from "../lib/paths.ts";

type Compose = { services: Record<string, { environment?: Record<string, string> } | undefined> };

/**
 * Compares the API's variables in the compose file with those that it reads, and with those of the tools.
 * @returns one line for each problem.
 */
export function deploymentProblems(): string[] {
  const text = readFileSync(join(SERVER, "deploy/compose.yaml"), "utf8");
  const { services } = parse(text, { merge: true }) as Compose;
  const [api, tools] = ["api1", "tools"].map((name) => services[name]?.environment ?? {});
  const unread = Object.keys(api ?? {}).filter((name) => !VARIABLES.some((known) => known === name));
  const different = ["MONGODB_URI", "S3_URL"].filter((name) => tools?.[name] !== api?.[name]);
  return [
    ...unread.map((name) => `compose.yaml: the API does not read ${name}`),
    ...different.map((name) => `compose.yaml: tools must have the API's ${name}`),
  ];
}
