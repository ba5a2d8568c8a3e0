import { MonitorDown } from "lucide-react";
import { useEffect, useState } from "react";
import { installPrompt } from "../lib/install.ts";
import { site } from "../lib/site.ts";

const DISMISSED = "tasklane.install";

/** Offers to install the app where the browser can, until the person says no. */
export function InstallCard() {
  const [offer, setOffer] = useState(installPrompt.event);
  const [isOpen, setOpen] = useState(() => !wasDismissed());

  useEffect(() => {
    // After main.tsx, which listens too, has kept or lost it.
    const look = () => setOffer(installPrompt.event);
    const forget = () => {
      installPrompt.event = undefined;
      look();
    };
    look();
    window.addEventListener("beforeinstallprompt", look);
    window.addEventListener("appinstalled", forget);
    return () => {
      window.removeEventListener("beforeinstallprompt", look);
      window.removeEventListener("appinstalled", forget);
    };
  }, []);

  if (!offer || !isOpen) return null;
  const accept = () => {
    // It is good for one question.
    installPrompt.event = undefined;
    setOffer(undefined);
    void offer.prompt();
  };
  const dismiss = () => {
    rememberDismissal();
    setOpen(false);
  };
  return (
    <section aria-labelledby="install" className="card card-body gap-3">
      <h2 id="install" className="flex items-center gap-2.5 text-lg font-semibold">
        <MonitorDown aria-hidden="true" className="size-5 shrink-0 text-primary" />
        Install {site.brand}
      </h2>
      <p className="quiet text-sm">It opens in a window of its own, from your home screen or dock.</p>
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
    // Asked again in the next session.
  }
}
