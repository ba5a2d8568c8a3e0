import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Text sizes and widths: a phone, and with the largest text the layouts of a phone, a tablet and a desktop. */
const LOOKS = [
  ["100%", 320],
  ["200%", 320],
  ["200%", 768],
  ["200%", 1280],
] as const;

export const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
export const LINK = `https://example.com/${"a".repeat(400)}`;
export const ARABIC = "أحتاج إلى مترجم محترف لترجمة عقد قانوني طويل من العربية إلى الإنجليزية";
const HTML = '</p><img src="x" onerror="throw new Error()"><b>bold</b>';
export const TITLES = [
  "W".repeat(120),
  `${WORD} needs a logo`,
  ARABIC,
  "👩‍👩‍👧‍👦".repeat(10),
  // Every letter with three combining marks.
  "e\u0301\u0323\u0308".repeat(30),
  HTML,
];
export const TEXT = `${LINK}\n${WORD.repeat(2)}\n${ARABIC}\n${"🏳️‍🌈".repeat(40)}\n${HTML}`;

/**
 * Finds a page wider than the screen, a top bar of several lines, controls and texts that are off-screen or clipped
 * without an ellipsis or with one after hardly a word, text that was rendered as HTML, and Arabic text that is not
 * right-to-left. Runs in the page.
 */
function findLayoutProblems(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : [];
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  if ((document.querySelector(".navbar")?.clientHeight ?? 0) > 4.1 * rem) found.push("the top bar wraps");
  type VisibleRange = { left: number; right: number };
  const visibleRanges = new Map<Element, VisibleRange | null>();
  /** The horizontal range in which an element's content is visible; null if it has an ellipsis or is not shown. */
  const visibleRangeOf = (element: Element | null): VisibleRange | null => {
    if (!element) return { left: 0, right: clientWidth };
    const cached = visibleRanges.get(element);
    if (cached !== undefined) return cached;
    const { overflowX, textOverflow, position } = getComputedStyle(element);
    let visible = visibleRangeOf(position === "fixed" ? null : element.parentElement);
    if (visible && overflowX !== "visible" && !element.matches("select, textarea")) {
      const { left, right, width } = element.getBoundingClientRect();
      const isCut = textOverflow === "ellipsis" && element.scrollWidth > width && element.textContent;
      if (isCut && width > 1 && width < 4 * rem)
        found.push(`leaves no room for its text: ${element.textContent?.slice(0, 40)}`);
      // A box of one pixel is for screen readers only.
      if (textOverflow === "ellipsis" || width <= 1) visible = null;
      else visible = { left: Math.max(visible.left, left), right: Math.min(visible.right, right) };
    }
    visibleRanges.set(element, visible);
    return visible;
  };
  if (document.querySelector('[src="x"]')) found.push("text was rendered as HTML");
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  for (const element of top.querySelectorAll("*")) {
    const isControl = element.matches("a[href], button, input, select, textarea, summary");
    const texts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
    );
    if (!isControl && texts.length === 0) continue;
    const value = element instanceof HTMLInputElement ? element.value : "";
    // The first letter decides. Popups are exempt, as their English sentences can start with an Arabic name.
    const isArabic =
      !element.closest(".swal2-container") &&
      [value, ...texts.map(({ nodeValue }) => nodeValue ?? "")].some((text) =>
        /^\P{L}*\p{Script=Arabic}/u.test(text),
      );
    const isWrongDirection = isArabic && getComputedStyle(element).direction !== "rtl";
    const boxes = isControl ? [element.getBoundingClientRect()] : [];
    for (const text of texts) {
      const range = document.createRange();
      range.selectNodeContents(text);
      boxes.push(...range.getClientRects());
    }
    const visible = visibleRangeOf(element);
    const fits = ({ width, left, right }: DOMRect) =>
      !visible || width <= 1 || (left >= visible.left - 1 && right <= visible.right + 1);
    if (!isWrongDirection && boxes.every(fits)) continue;
    // Slides of a carousel, cards in a horizontally scrolling row and hidden elements may be outside.
    if (element.closest("[inert], [aria-hidden=true], .swiper, .snap-x")) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const what = isWrongDirection ? "is not right-to-left" : "overflows";
    found.push(`${what}: ${element.tagName} ${element.className}: ${element.textContent?.slice(0, 40)}`);
  }
  return found;
}

/** Checks the page at every width and text size, without reloading it. */
export async function expectNoOverflow(page: Page, what: string): Promise<void> {
  for (const [textSize, width] of LOOKS) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, textSize);
    await page.setViewportSize({ width, height: 900 });
    // Charts and clamped texts adapt one frame later.
    await expect
      .soft(
        async () => expect(await page.evaluate(findLayoutProblems)).toEqual([]),
        `${what} at ${width} px, text ${textSize}`,
      )
      .toPass({ timeout: 5_000 });
  }
}
