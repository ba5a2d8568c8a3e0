import { MonitorDown } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { installPrompt } from "../lib/install.ts";
import { site } from "../lib/site.ts";

const DISMISSED = "tasklane.install";

/** Offers to install the app if the browser supports it, until the person dismisses the card. */
export function InstallCard() {
  const prompt = useSyncExternalStore(installPrompt.subscribe, installPrompt.current, () => undefined);
  const [isOpen, setOpen] = useState(() => !wasDismissed());

  if (!prompt || !isOpen) return null;
  const accept = () => {
    installPrompt.set(undefined);
    void prompt.prompt();
  };
  const dismiss = () => {
    rememberDismissal();
    setOpen(false);
  };
  return (
    <section aria-labelledby="install" className="card card-body gap-3">
      <h2 id="install" className="flex items-center gap-2.5 text-lg font-semibold">
        <MonitorDown className="size-5 shrink-0 text-primary" />
        Install {site.brand}
      </h2>
      <p className="quiet text-sm">It opens in its own window, from your home screen or dock.</p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-outline btn-sm" onClick={accept}>
          Install
        </button>
        <button type="button" className="btn btn-ghost btn-sm" onClick={dismiss}>
          Not now
        </button>
      </div>
    </section>
  );
}

function wasDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null;
  } catch {
    return false;
  }
}

function rememberDismissal(): void {
  try {
    localStorage.setItem(DISMISSED, "no");
  } catch {
    // Without storage, the card comes back in the next session.
  }
}
