import { MonitorDown } from "lucide-react";
import { useSyncExternalStore } from "react";
import { installOffer } from "../lib/install.ts";
import { site } from "../lib/site.ts";

/** Offers to install the app where the browser can, until the person says no. */
export function InstallCard() {
  const isThere = useSyncExternalStore(installOffer.subscribe, installOffer.isThere, () => false);
  if (!isThere) return null;
  return (
    <section aria-labelledby="install" className="card card-body gap-3">
      <h2 id="install" className="flex items-center gap-2.5 text-lg font-semibold">
        <MonitorDown aria-hidden="true" className="size-5 shrink-0 text-primary" />
        Install {site.brand}
      </h2>
      <p className="quiet text-sm">It opens in a window of its own, from your home screen or dock.</p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-outline btn-sm" onClick={() => void installOffer.accept()}>
          Install
        </button>
        <button type="button" className="btn btn-ghost btn-sm" onClick={installOffer.dismiss}>
          Not now
        </button>
      </div>
    </section>
  );
}
