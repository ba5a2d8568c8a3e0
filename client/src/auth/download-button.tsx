import { Download } from "lucide-react";
import { useState } from "react";
import { download } from "../lib/download.ts";
import { apiOrigin } from "../lib/env.ts";
import { problemText } from "../lib/problem.ts";
import { notify } from "../ui/notify.tsx";
import { useAuth } from "./auth-context.tsx";

type Props = {
  /** Path of the API that answers the file. */
  path: string;
  /** What the browser calls it. */
  file: string;
  children: string;
  className?: string;
};

/** Keeps a file of the signed-in person: an ordinary link could not send who is asking. */
export function DownloadButton({ path, file, children, className = "btn-outline" }: Props) {
  const { getToken } = useAuth();
  const [busy, setBusy] = useState(false);

  const start = async () => {
    if (busy) return;
    setBusy(true);
    notify.dismiss(`download-${file}`);
    try {
      await download({ origin: apiOrigin, getToken }, path, file);
    } catch (error) {
      notify.error(problemText(error), { topic: `download-${file}` });
    }
    setBusy(false);
  };

  return (
    <button type="button" className={`btn ${className}`} aria-disabled={busy || undefined} onClick={start}>
      {busy ? (
        <span className="loading loading-spinner loading-sm" aria-hidden="true" />
      ) : (
        <Download aria-hidden="true" className="size-4" />
      )}
      {busy ? "Preparing…" : children}
    </button>
  );
}
