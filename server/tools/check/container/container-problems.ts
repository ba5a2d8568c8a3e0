/** Facts about a running API container, in the formats of the system's tools. */
export type Inspected = {
  sizeBytes: number;
  /** `NAME=value`, as the image sets them. */
  environment: readonly string[];
  /** The concatenated `/proc/<pid>/status` of all processes. */
  processes: string;
  /** Folders that root could write to in the container. */
  writable: readonly string[];
  /** The paths of all files below `/app` and `/usr/local`. */
  files: readonly string[];
};

const MAX_MB = 250;
const UID = "1000";
const VARIABLES = ["PATH", "NODE_ENV", "PORT", "WEB_ROOT"];
const CAPABILITIES = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"];

/** One line for each way in which a container is not as hardened as it should be. */
export function containerProblems(found: Inspected): string[] {
  const { sizeBytes, environment, processes, writable, files } = found;
  const names = environment.map((each) => each.split("=")[0] ?? "");
  const elsewhere = writable.filter((folder) => folder !== "/tmp");
  return [
    ...when(sizeBytes > MAX_MB * 1e6, `the image has ${megabytes(sizeBytes)}, more than ${MAX_MB} MB`),
    ...names.flatMap((name) => when(!VARIABLES.includes(name), `the image sets ${name}`)),
    ...when(!writable.includes("/tmp"), "/tmp cannot be written to"),
    ...elsewhere.map((folder) => `the file system can be written to: ${folder}`),
    ...processes
      .split(/^(?=Name:)/m)
      .filter(Boolean)
      .flatMap(processProblems),
    ...listProblem(
      "files that do not belong in it",
      files.filter((file) => !belongs(file)),
    ),
  ];
}

/** Decimal megabytes, as container engines print them. */
export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

const when = (isProblem: boolean, text: string) => (isProblem ? [text] : []);

const listProblem = (what: string, names: readonly string[]) =>
  when(names.length > 0, `the image has ${what}: ${names.slice(0, 5).join(", ")}${names[5] ? ", …" : ""}`);

function processProblems(status: string): string[] {
  const field = (key: string) => new RegExp(`^${key}:[ \\t]*(.*?)[ \\t]*$`, "m").exec(status)?.[1] ?? "";
  const ids = ["Uid", "Gid", "Groups"].map(field).join(" ").trim().split(/\s+/);
  const capabilities = CAPABILITIES.filter((key) => !/^0+$/.test(field(key)));
  const name = `the process ${field("Name")}`;
  return [
    ...when(!ids.every((id) => id === UID), `${name} has the ids ${ids.join(" ")}`),
    ...when(capabilities.length > 0, `${name} has capabilities (${capabilities.join(", ")})`),
    ...when(field("NoNewPrivs") !== "1", `${name} could gain privileges`),
  ];
}

const OURS = /^\/app\/(?:server\/dist\/|client\/dist\/|server\/package\.json$)/;
const SOURCES_AND_TESTS = /\.[cm]?tsx?$|\.test\.|\/test\//;
const SECRETS = /\/(?:\.env[^/]*|\.npmrc|[^/]+\.(?:key|pem|p12|pfx))$/;

function belongs(file: string): boolean {
  if (file === "/usr/local/bin/node") return true;
  return OURS.test(file) && !SOURCES_AND_TESTS.test(file) && !SECRETS.test(file);
}
