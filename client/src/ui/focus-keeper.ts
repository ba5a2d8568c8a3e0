const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary";
const ITEM = "li, tr";
const REGION = "section, article, form, dialog, [role=dialog], main";

/**
 * Keeps focus within `area` when the focused control is removed (a form that was saved, the last "Load more"):
 * otherwise keyboard users would start again at the top of the page. The ref of such an element.
 *
 * Focus goes to the next item of the list, else to the previous one, else to the first item added near it, else to the `data-focus-home` element of the
 * surrounding item or section, else to the section's heading. If there is none of these, as with a toast, it goes back
 * to where it was before, or to the page if that is gone.
 */
export function keepFocusWithin(area: HTMLElement | null): (() => void) | undefined {
  if (!area) return;
  let last: { element: Element; page: string } | null = null;
  let outside: HTMLElement | null = null;
  const remember = ({ target, relatedTarget }: FocusEvent) => {
    if (target instanceof Element) last = { element: target, page: location.pathname };
    if (!area.contains(relatedTarget as Node | null)) outside = relatedTarget as HTMLElement | null;
  };
  const observer = new MutationObserver((changes) => {
    if (!last || last.element.isConnected) return;
    const { element, page } = last;
    last = null;
    const { activeElement } = document;
    const isLost = !activeElement || activeElement.matches("body, dialog");
    // A new page manages its own focus.
    if (!isLost || page !== location.pathname) return;
    const target = findTarget(element, changes);
    if (target) return focusOn(target);
    const main = document.getElementById("main");
    // From the page itself, focus must not go back to the top bar, such as to LogOut.
    (outside?.isConnected && area !== main ? outside : main)?.focus({ preventScroll: true });
  });
  area.addEventListener("focusin", remember);
  observer.observe(area, { childList: true, subtree: true });
  return () => {
    area.removeEventListener("focusin", remember);
    observer.disconnect();
  };
}

function findTarget(removed: Element, changes: MutationRecord[]): HTMLElement | null {
  const removal = changes.find(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(removed)),
  );
  const parent = removal?.target instanceof Element ? removal.target : null;
  const region = parent?.closest(REGION);
  const neighbors = [removal?.nextSibling, removal?.previousSibling].filter(isItem);
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(isItem);
  const item = [...neighbors, ...added].find((node) => region?.contains(node));
  return item?.querySelector<HTMLElement>(FOCUSABLE) ?? item ?? findHome(parent);
}

function isItem(node: Node | null | undefined): node is HTMLElement {
  return node instanceof HTMLElement && node.matches(ITEM) && !node.hidden;
}

/** The `data-focus-home` element or heading of the nearest item or section. */
function findHome(start: Element | null): HTMLElement | null {
  for (let parent = start; parent; parent = parent.parentElement) {
    const home = parent.querySelector<HTMLElement>("[data-focus-home]");
    if (home && parent.matches(ITEM)) return home;
    if (!parent.matches(REGION)) continue;
    const target = home ?? parent.querySelector<HTMLElement>("h1, h2, h3");
    if (target) return target;
  }
  return null;
}

/** The ref of an element that takes the focus when it appears. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

function focusOn(target: HTMLElement): void {
  if (!target.matches(FOCUSABLE)) target.tabIndex = -1;
  target.focus();
}
