/**
 * High contrast mode removes colors and shadows. Finds focused controls without a focus ring, cards with one, and a
 * current page that looks like the others in the navigation. Runs in the page.
 */
export function findHighContrastProblems(): string[] {
  const found: string[] = [];
  const isVisible = (color: string) => !/^rgba\(.*, 0\)$|^transparent$/.test(color);
  const hasRing = (element: Element | null, pseudo?: string) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element, pseudo);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && isVisible(outlineColor);
  };
  for (const control of document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea")) {
    control.focus();
    if (document.activeElement !== control) continue;
    const wrapper = control.closest(".input, .select, .textarea");
    if (!hasRing(control) && !hasRing(control, "::after") && !hasRing(wrapper))
      found.push(`no focus ring: ${control.outerHTML.slice(0, 120)}`);
  }
  for (const card of document.querySelectorAll(".card"))
    if (hasRing(card)) found.push(`looks as if it had focus: ${card.outerHTML.slice(0, 120)}`);
  const backgroundOf = (selector: string) =>
    [...document.querySelectorAll(`nav[aria-label=Dashboard] ${selector}`)]
      .filter((link) => link.checkVisibility())
      .map((link) => getComputedStyle(link).backgroundColor);
  const [current] = backgroundOf("a[aria-current=page]");
  if (!current || backgroundOf("a:not([aria-current])").includes(current))
    found.push(`the current page is not marked: ${current}`);
  return found;
}
