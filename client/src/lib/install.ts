/** What a browser sends that can install the app (Chromium's `BeforeInstallPromptEvent`). */
export type InstallOffer = Event & { prompt(): Promise<unknown> };

/** The browser's offer, until a page shows it: the event comes once, and early. */
export const kept: { offer?: InstallOffer | undefined } = {};

/** Keeps the browser's offer to install the app. */
export function keepInstallOffer(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    // Else some browsers put a bar of their own over the page.
    event.preventDefault();
    kept.offer = event as InstallOffer;
  });
}
