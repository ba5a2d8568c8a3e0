import { CloudOff, Wifi } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { apiStatus } from "../lib/api-status.ts";
import { site } from "../lib/site.ts";
import { useOnline } from "../ui/use-reconnect.ts";

/** How long the banner says that the API is back, in ms. */
const RECOVERED_MS = 4_000;

const TEXTS = {
  connection: { down: "Reconnecting…", up: "You are back online." },
  server: { down: `${site.brand} has a problem. Trying again…`, up: `${site.brand} works again.` },
} as const;

/** A non-blocking banner that says when the API is down, and briefly when it is back. */
export function ReconnectBanner() {
  const kind = () => apiStatus.outage()?.kind;
  const outage = useSyncExternalStore(apiStatus.subscribe, kind, kind);
  const [recovered, setRecovered] = useState<typeof outage>();
  const previousOutage = useRef<typeof outage>(undefined);
  const online = useOnline();

  useEffect(() => {
    setRecovered(outage ? undefined : previousOutage.current);
    previousOutage.current = outage;
    const timer = window.setTimeout(() => setRecovered(undefined), RECOVERED_MS);
    return () => window.clearTimeout(timer);
  }, [outage]);

  const Icon = outage ? CloudOff : Wifi;
  return (
    // The live region is always rendered, so that its text is announced. It covers no bar, and neither the head nor the
    // composer of a conversation.
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-44 md:top-18 short:top-44 z-40 flex justify-center px-4"
    >
      {(outage || recovered) && (
        <p className="flex items-center gap-2 rounded-full bg-neutral px-4 py-2 text-sm text-neutral-content shadow-lift">
          <Icon className="size-4" />
          {outage ? (online ? TEXTS[outage].down : "You are offline.") : recovered && TEXTS[recovered].up}
        </p>
      )}
    </div>
  );
}
