import { LANGUAGES } from "@tasklane/server/contract";

const NAMES = new Intl.DisplayNames("en-US", { type: "language" });

/** The English name of a BCP 47 code, such as `German`. */
export function languageName(code: string): string {
  return NAMES.of(code) ?? code;
}

/** All selectable languages with their names, sorted by name. */
export function languageOptions(): [code: string, name: string][] {
  return LANGUAGES.map((code): [string, string] => [code, languageName(code)]).sort(([, a], [, b]) =>
    a.localeCompare(b, "en-US"),
  );
}
