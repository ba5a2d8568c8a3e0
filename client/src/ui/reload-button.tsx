import { useState } from "react";
import { apiStatus } from "../lib/api-status.ts";
import { reloadIfReachable } from "../lib/load-failures.ts";
import { useOnReconnect } from "./use-reconnect.ts";

type Props = {
  className?: string;
  text?: string;
  /** Reloads without a click once the connection is back. Only where there is nothing on the page to be lost. */
  byItself?: boolean;
};

/** For when a part of the app did not arrive. Without a connection the page stays, and says so. */
export function ReloadButton({
  className = "btn btn-primary",
  text = "Reload the page",
  byItself = false,
}: Props) {
  const [busy, setBusy] = useState(false);
  const reload = async () => {
    if (busy) return;
    setBusy(true);
    if (await reloadIfReachable()) return;
    // It is checked from time to time whether it is back.
    apiStatus.markDown("connection");
    setBusy(false);
  };
  useOnReconnect(() => void (byItself && reload()));
  return (
    <button
      type="button"
      className={className}
      aria-disabled={busy || undefined}
      onClick={() => void reload()}
    >
      {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
      {busy ? "Trying…" : text}
    </button>
  );
}
