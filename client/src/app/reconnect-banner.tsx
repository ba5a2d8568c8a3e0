import { CloudOff, Wifi } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { apiStatus } from "../lib/api-status.ts";
import { site } from "../lib/site.ts";
import { useOnline } from "../ui/use-reconnect.ts";

/** How long the banner says that the API is back, in ms. */
const BACK_MS = 4_000;

const TEXTS = {
  connection: { lost: "Reconnecting…", back: "You are back online." },
  server: { lost: `${site.brand} has a problem. Trying again…`, back: `${site.brand} works again.` },
} as const;

/** A non-blocking banner that says when the API is down, and briefly when it is back. */
export function ReconnectBanner() {
  const kind = () => apiStatus.outage()?.kind;
  const lost = useSyncExternalStore(apiStatus.subscribe, kind, kind);
  const [back, setBack] = useState<typeof lost>();
  const wasLost = useRef<typeof lost>(undefined);
  const online = useOnline();

  useEffect(() => {
    setBack(lost ? undefined : wasLost.current);
    wasLost.current = lost;
    const timer = window.setTimeout(() => setBack(undefined), BACK_MS);
    return () => window.clearTimeout(timer);
  }, [lost]);

  const Icon = lost ? CloudOff : Wifi;
  return (
    // The live region is always rendered, so that its text is announced. It is above the bars of small screens.
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--bottom-bars)+0.5rem)] z-40 flex justify-center px-4"
    >
      {(lost || back) && (
        <p className="flex items-center gap-2 rounded-full bg-neutral px-4 py-2 text-sm text-neutral-content shadow-lift">
          <Icon aria-hidden="true" className="size-4" />
          {lost ? (online ? TEXTS[lost].lost : "You are offline.") : back && TEXTS[back].back}
        </p>
      )}
    </div>
  );
}
