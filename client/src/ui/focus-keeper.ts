const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary";
const ITEM = "li, tr";

/**
 * Keeps focus within `area` when the focused control is removed (a form that was saved, the last "Load more"):
 * otherwise the keyboard would start again at the top of the page. Returns a teardown function.
 *
 * It goes to the next item of the list, else to the first item that was added, else to what is marked with
 * `data-focus-home` in the item or the section around, or else to the section's heading. Where there is none of them, as
 * with a toast, it goes back to where it was before, or to the page if that is gone.
 */
export function keepFocusWithin(area: HTMLElement): () => void {
  let last: { element: Element; page: string } | null = null;
  let before: HTMLElement | null = null;
  const remember = ({ target, relatedTarget }: FocusEvent) => {
    if (target instanceof Element) last = { element: target, page: location.pathname };
    if (!area.contains(relatedTarget as Node | null)) before = relatedTarget as HTMLElement | null;
  };
  const observer = new MutationObserver((changes) => {
    if (!last || last.element.isConnected) return;
    const { element, page } = last;
    last = null;
    const { activeElement } = document;
    const isLost = !activeElement || activeElement.matches("body, dialog");
    // Where focus belongs on a new page is decided there.
    if (!isLost || page !== location.pathname) return;
    const place = placeFor(element, changes);
    if (place) return focusOn(place);
    const main = document.getElementById("main");
    // What stands before the page, such as LogOut, is not what somebody in it would press.
    (before?.isConnected && area !== main ? before : main)?.focus({ preventScroll: true });
  });
  area.addEventListener("focusin", remember);
  observer.observe(area, { childList: true, subtree: true });
  return () => {
    area.removeEventListener("focusin", remember);
    observer.disconnect();
  };
}

function placeFor(gone: Element, changes: MutationRecord[]): HTMLElement | null {
  const removal = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
  const neighbours = [removal?.nextSibling, removal?.previousSibling].filter(isItem);
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(isItem);
  const item = [...neighbours, ...added].find((one) => one.isConnected);
  const around = removal?.target instanceof Element ? removal.target : null;
  return item?.querySelector<HTMLElement>(FOCUSABLE) ?? item ?? homeOf(around);
}

function isItem(node: Node | null | undefined): node is HTMLElement {
  return node instanceof HTMLElement && node.matches(ITEM) && !node.hidden;
}

/** The nearest place around that is marked as one for focus, or a heading. */
function homeOf(around: Element | null): HTMLElement | null {
  for (let parent = around; parent; parent = parent.parentElement) {
    const home = parent.querySelector<HTMLElement>("[data-focus-home]");
    if (home && parent.matches(ITEM)) return home;
    if (!parent.matches("section, article, form, dialog, [role=dialog], main")) continue;
    const place = home ?? parent.querySelector<HTMLElement>("h1, h2, h3");
    if (place) return place;
  }
  return null;
}

function focusOn(place: HTMLElement): void {
  if (!place.matches(FOCUSABLE)) place.tabIndex = -1;
  place.focus();
}
