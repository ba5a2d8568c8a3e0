/** Chromium's `BeforeInstallPromptEvent`. */
export type InstallPromptEvent = Event & { prompt(): Promise<unknown> };

/** The captured prompt: its event fires only once, before any page can show it. */
export const installPrompt: { event?: InstallPromptEvent | undefined } = {};

export function captureInstallPrompt(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    // Some browsers would otherwise show their own install bar over the page.
    event.preventDefault();
    installPrompt.event = event as InstallPromptEvent;
  });
}
