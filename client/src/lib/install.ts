/** Chromium's `BeforeInstallPromptEvent`. */
type InstallPromptEvent = Event & { prompt(): Promise<unknown> };

let current: InstallPromptEvent | undefined;
const listeners = new Set<() => void>();

/** The captured prompt: its event fires only once, before any page can show it, and can prompt only once. */
export const installPrompt = {
  current: (): InstallPromptEvent | undefined => current,
  set(next: InstallPromptEvent | undefined): void {
    current = next;
    for (const listener of listeners) listener();
  },
  /** Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function captureInstallPrompt(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    // Some browsers would otherwise show their own install bar over the page.
    event.preventDefault();
    installPrompt.set(event as InstallPromptEvent);
  });
  window.addEventListener("appinstalled", () => installPrompt.set(undefined));
}
