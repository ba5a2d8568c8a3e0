/**
 * Keeps the focus where somebody has put it before the app was there, on a slow line for instance: React replaces the
 * prerendered page, and the keyboard would start again at the top.
 * @param root holds the prerendered page, which is like the app's first one.
 */
export function keepEarlyFocus(root: HTMLElement): void {
  const focused = document.activeElement;
  const observer = new MutationObserver(() => {
    observer.disconnect();
    // Only the prerendered one has it.
    focused?.removeAttribute("data-early-theme");
    const places = [...root.querySelectorAll<HTMLElement>("a, button")];
    places.find((place) => place.outerHTML === focused?.outerHTML)?.focus({ preventScroll: true });
  });
  observer.observe(root, { childList: true });
}
