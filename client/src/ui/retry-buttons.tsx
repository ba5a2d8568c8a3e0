import { useState } from "react";
import { useRevalidator } from "react-router-dom";
import { apiStatus } from "../lib/api-status.ts";
import { reloadIfReachable } from "../lib/load-failures.ts";
import { useOnReconnect } from "./use-reconnect.ts";

/** Reloads the page's data, automatically once the connection is back. */
export function RetryButton() {
  const { revalidate, state } = useRevalidator();
  const busy = state === "loading";
  const retry = () => void (busy || revalidate());
  useOnReconnect(retry);
  return <BusyButton busy={busy} text="Try again" className="btn btn-primary" onClick={retry} />;
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
  return <BusyButton busy={busy} text={text} className={className} onClick={() => void reload()} />;
}

type BusyProps = { busy: boolean; text: string; className: string; onClick: () => void };

/** Says when it is busy. It is never disabled, so that it keeps its focus. */
function BusyButton({ busy, text, className, onClick }: BusyProps) {
  return (
    <button type="button" className={className} aria-disabled={busy || undefined} onClick={onClick}>
      {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
      {busy ? "Trying…" : text}
    </button>
  );
}
