import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** WCAG 2.5.8 and 2.5.3, which axe leaves out by default. */
const MORE_RULES = { "target-size": { enabled: true }, "label-content-name-mismatch": { enabled: true } };

type Rules = Parameters<AxeBuilder["options"]>[0];

const COLOR_RULES = ["color-contrast", "link-in-text-block"];
/** The details of what passes take most of axe's time. */
const RESULTS = { resultTypes: ["violations" as const] };

/**
 * Checks WCAG 2.2 A and AA and axe's best practices, then the colors in the dark theme, the only thing it changes.
 * @param part a selector of what to check, when the rest of the page is checked elsewhere: axe takes time for each element.
 */
export async function expectNoViolations(page: Page, what: string, part = "html"): Promise<void> {
  await runAxe(page, what, part, { rules: MORE_RULES });
  expect(await page.evaluate(findFaintStars), what).toEqual([]);
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
  await runAxe(page, `${what}, dark`, part, { runOnly: COLOR_RULES });
  expect(await page.evaluate(findFaintStars), `${what}, dark`).toEqual([]);
  await setDark(false);
}

async function runAxe(page: Page, what: string, part: string, options: Rules): Promise<void> {
  // Sending axe to a page where it is already takes as long as checking an ordinary page.
  const isThere = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: ";" }) }).options({
    ...RESULTS,
    ...options,
  });
  // Legacy mode needs no extra page for each check; it skips frames of other origins, but there are none. Tooltips are
  // excluded, because they are rendered outside of all landmarks.
  const { violations } = await axe.include(part).exclude("[role=tooltip]").setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  expect(found, what).toEqual([]);
}

/** Ratings whose first star contrasts less than 3:1 with its background: WCAG 1.4.11, which axe does not check. Runs in the page. */
function findFaintStars(): string[] {
  const luminanceOf = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((channel) => {
      const share = Number(channel) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isTransparent = (color: string) => color === "rgba(0, 0, 0, 0)";
  const contrastOf = (icon: Element) => {
    let background: Element | null = icon;
    while (background && isTransparent(getComputedStyle(background).backgroundColor))
      background = background.parentElement;
    const colors = [
      getComputedStyle(icon).stroke,
      background ? getComputedStyle(background).backgroundColor : "rgb(255, 255, 255)",
    ];
    const [light = 1, dark = 0] = colors.map(luminanceOf).sort((one, other) => other - one);
    return (light + 0.05) / (dark + 0.05);
  };
  return [...document.querySelectorAll(".sr-only")]
    .filter(({ textContent }) => /^Rated . out of 5$/.test(textContent))
    .map((rating) => ({ rating, icon: rating.parentElement?.querySelector("svg") }))
    .filter(({ icon }) => !icon || contrastOf(icon) < 3)
    .map(({ rating }) => `${rating.textContent}: its stars can hardly be seen`);
}
