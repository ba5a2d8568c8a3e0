import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** WCAG 2.5.8 and 2.5.3, which axe leaves out by default. */
const MORE_RULES = { "target-size": { enabled: true }, "label-content-name-mismatch": { enabled: true } };

/** Checks WCAG 2.2 A and AA and axe's best practices, then the colors in the dark theme, the only thing it changes. */
export async function expectNoViolations(page: Page, what: string): Promise<void> {
  await runAxe(new AxeBuilder({ page }).options({ rules: MORE_RULES }), what);
  // Does the same as the theme button.
  const setDark = (isDark: boolean) =>
    page.evaluate((dark) => {
      document.documentElement.classList.toggle("dark", dark);
      document.documentElement.dataset["theme"] = dark ? "tasklane-dark" : "tasklane";
    }, isDark);
  await setDark(true);
  // With reduced motion colors change without transitions, during which axe would measure intermediate colors.
  const transitions = await page.evaluate(
    () => document.getAnimations().filter((animation) => animation instanceof CSSTransition).length,
  );
  expect(transitions, `transitions of ${what}`).toBe(0);
  await runAxe(new AxeBuilder({ page }).withRules(["color-contrast", "link-in-text-block"]), `${what}, dark`);
  await setDark(false);
}

async function runAxe(axe: AxeBuilder, what: string): Promise<void> {
  // Legacy mode needs no extra page for each check; it skips frames of other origins, but there are none. Tooltips are
  // excluded, because they are rendered outside of all landmarks.
  const { violations } = await axe.exclude("[role=tooltip]").setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  expect(found, what).toEqual([]);
}
