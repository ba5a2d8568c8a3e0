import parseExpression, { type Info } from "spdx-expression-parse";
import { idOf, type ShippedPackage } from "./packages.ts";

/**
 * Licences under which a package may ship: all permit use, modification and sale, and require only that their text and
 * notices are included. Any other licence must be reviewed by a person first.
 */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  // Fonts.
  "OFL-1.1",
  "Unlicense",
]);

/** One line for each package whose licence is not allowed. */
export function licenceProblems(packages: readonly ShippedPackage[]): string[] {
  return packages
    .filter(({ license }) => !isAllowed(license))
    .map((each) => `${idOf(each)} has the licence "${each.license || "none"}", which is not allowed yet.`);
}

/** Whether a package under this SPDX expression may ship. One of `A OR B` is enough; both of `A AND B` must be allowed. */
export function isAllowed(expression: string): boolean {
  try {
    return holds(parseExpression(expression));
  } catch {
    // Not SPDX, such as "SEE LICENSE IN …".
    return false;
  }
}

function holds(info: Info): boolean {
  if ("license" in info) return ALLOWED.has(info.license) && !("exception" in info);
  const sides = [holds(info.left), holds(info.right)];
  return info.conjunction === "or" ? sides.some(Boolean) : sides.every(Boolean);
}
