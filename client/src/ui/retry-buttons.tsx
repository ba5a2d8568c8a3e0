import { useState } from "react";
import { useRevalidator } from "react-router-dom";
import { apiStatus } from "../lib/api-status.ts";
import { reloadIfReachable } from "../lib/load-failures.ts";
import { BusyButton } from "./busy-button.tsx";
import { useOnReconnect } from "./use-reconnect.ts";

/** Reloads the page's data, automatically once the connection is back. */
export function RetryButton() {
  const { revalidate, state } = useRevalidator();
  const busy = state === "loading";
  useOnReconnect(() => void (busy || revalidate()));
  return (
    <BusyButton className="btn btn-primary" busy={busy} busyText="Trying…" onClick={revalidate}>
      Try again
    </BusyButton>
  );
}

type ReloadProps = {
  className?: string;
  text?: string;
  /** Reloads without a click once the connection is back. Only for pages on which nothing can be lost. */
  automatic?: boolean;
};

/** Reloads the app after part of it failed to load. Without a connection the page stays and an outage is reported. */
export function ReloadButton({
  className = "btn btn-primary",
  text = "Reload the page",
  automatic = false,
}: ReloadProps) {
  const [busy, setBusy] = useState(false);
  const reload = async () => {
    if (busy) return;
    setBusy(true);
    if (await reloadIfReachable()) return;
    // Starts polling for the API (see watchReadiness).
    apiStatus.markDown("connection");
    setBusy(false);
  };
  useOnReconnect(() => void (automatic && reload()));
  return (
    <BusyButton className={className} busy={busy} busyText="Trying…" onClick={reload}>
      {text}
    </BusyButton>
  );
}
