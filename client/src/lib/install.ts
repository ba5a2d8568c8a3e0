/** What a browser sends that can install the app (Chromium's `BeforeInstallPromptEvent`). */
type InstallOffer = Event & { prompt(): Promise<{ outcome: "accepted" | "dismissed" }> };

const DISMISSED = "tasklane.install";

let offer: InstallOffer | undefined;
const listeners = new Set<() => void>();

function set(next: InstallOffer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer until a page shows it: the event comes once, and early. */
export function watchInstallOffer(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    // Else some browsers put a bar of their own over the page.
    event.preventDefault();
    set(event as InstallOffer);
  });
  window.addEventListener("appinstalled", () => set(undefined));
}

/** The browser's offer to install the app, unless the person has said no to it before. */
export const installOffer = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isThere: (): boolean => offer !== undefined && !wasDismissed(),
  /** Lets the browser ask. Its offer is good for one question. */
  async accept(): Promise<void> {
    const asked = offer;
    set(undefined);
    await asked?.prompt();
  },
  dismiss(): void {
    try {
      localStorage.setItem(DISMISSED, "no");
    } catch {
      // Asked again in the next session.
    }
    set(undefined);
  },
};

function wasDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null;
  } catch {
    return false;
  }
}
