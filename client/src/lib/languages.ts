import { LANGUAGES } from "@tasklane/server/contract";

const NAMES = new Intl.DisplayNames("en-US", { type: "language" });

/** `German`, of a BCP 47 code. */
export function languageName(code: string): string {
  return NAMES.of(code) ?? code;
}

/** Every language that can be chosen, with its name, in the order of the names. */
export function languageOptions(): [code: string, name: string][] {
  return LANGUAGES.map((code): [string, string] => [code, languageName(code)]).sort(([, a], [, b]) =>
    a.localeCompare(b, "en-US"),
  );
}
