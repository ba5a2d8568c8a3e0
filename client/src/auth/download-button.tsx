import { Download } from "lucide-react";
import { useState } from "react";
import { type ApiDeps, fetchAsUser } from "../lib/api.ts";
import { apiOrigin } from "../lib/env.ts";
import { ApiProblem, offlineProblem, problemText, readProblem } from "../lib/problem.ts";
import { BusyButton } from "../ui/busy-button.tsx";
import { notify } from "../ui/notify.tsx";
import { useAuth } from "./session.tsx";

type Props = {
  /** API path of the file. */
  path: string;
  /** File name for the download. */
  file: string;
  children: string;
  className?: string;
  /** Shows only the symbol; the text is its name. */
  isIcon?: boolean;
};

/** Downloads a file of the signed-in person. A plain link could not send the token. */
export function DownloadButton({ path, file, children, className = "btn-outline", isIcon }: Props) {
  const { getToken } = useAuth();
  const [busy, setBusy] = useState(false);

  const start = async () => {
    setBusy(true);
    notify.dismiss(`download-${file}`);
    try {
      await download(path, file, getToken);
    } catch (error) {
      notify.error(problemText(error), { topic: `download-${file}` });
    }
    setBusy(false);
  };

  return (
    <BusyButton
      className={`btn ${className}`}
      data-tooltip-content={isIcon ? children : null}
      busy={busy}
      onClick={start}
    >
      {busy ? <span className="loading loading-spinner loading-sm" aria-hidden="true" /> : <Download />}
      <span className={isIcon ? "sr-only" : ""}>{busy ? "Preparing…" : children}</span>
    </BusyButton>
  );
}

/** The timeout of a whole download, in ms. The server ends a stalled response much earlier. */
const TIMEOUT_MS = 10 * 60_000;

/** Fetches a file and starts a browser download. Rejects with {@link ApiProblem}. */
async function download(path: string, name: string, getToken: ApiDeps["getToken"]): Promise<void> {
  const blob = await fetchFile(path, getToken);
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL only after the click event.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Fetches a file with the token. Rejects with {@link ApiProblem}. */
export async function fetchFile(path: string, getToken: ApiDeps["getToken"]): Promise<Blob> {
  try {
    const init = { signal: AbortSignal.timeout(TIMEOUT_MS) };
    const response = await fetchAsUser(apiOrigin + path, init, getToken);
    if (!response.ok) throw readProblem(response, await response.text());
    return await response.blob();
  } catch (error) {
    throw error instanceof ApiProblem ? error : offlineProblem();
  }
}
