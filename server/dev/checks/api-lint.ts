import { createConfig, lintFromString } from "@redocly/openapi-core";
import { apiDocument } from "../../src/http/openapi/document.ts";

/**
 * Lints the OpenAPI document by the strict recommended rules of Redocly, whose library this is; its command would bring
 * ten times the packages.
 * @returns what is wrong, one line each.
 */
export async function lintApi(): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    // Probes and the document refuse nobody.
    rules: { "operation-4xx-response": "off" },
  });
  const source = JSON.stringify(apiDocument(), null, 2);
  const problems = await lintFromString({ source, config });
  return problems.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer ?? "#"} ${ruleId}: ${message}`,
  );
}
