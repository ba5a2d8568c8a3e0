import { Download } from "lucide-react";
import { useState } from "react";
import { apiOrigin } from "../lib/env.ts";
import { notSignedInProblem, offlineProblem, problemText, readProblem } from "../lib/problem.ts";
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
      await download({ origin: apiOrigin, getToken }, path, file);
    } catch (error) {
      notify.error(problemText(error), { topic: `download-${file}` });
    }
    setBusy(false);
  };

  return (
    <BusyButton className={`btn ${className}`} busy={busy} onClick={start}>
      {busy ? <span className="loading loading-spinner loading-sm" aria-hidden="true" /> : <Download />}
      <span className={isIcon ? "sr-only" : ""}>{busy ? "Preparing…" : children}</span>
    </BusyButton>
  );
}

/** The timeout of a whole download, in ms. The server ends a stalled response much earlier. */
const TIMEOUT_MS = 10 * 60_000;

type DownloadDeps = {
  origin: string;
  getToken(fresh: boolean): Promise<string | null>;
};

/** Fetches a file and starts a browser download. Rejects with {@link ApiProblem}. */
async function download({ origin, getToken }: DownloadDeps, path: string, name: string): Promise<void> {
  const response = await fetchFile(origin + path, getToken);
  const blob = await response.blob().catch(() => {
    throw offlineProblem();
  });
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL only after the click event.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Fetches a file with the token. Rejects with {@link ApiProblem}. */
export async function fetchFile(url: string, getToken: DownloadDeps["getToken"]): Promise<Response> {
  const attempt = async (fresh: boolean) => {
    const token = await getToken(fresh).catch(() => {
      throw offlineProblem();
    });
    if (!token) throw notSignedInProblem();
    const headers = { Authorization: `Bearer ${token}` };
    return fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
      throw offlineProblem();
    });
  };
  let response = await attempt(false);
  if (response.status === 401) response = await attempt(true);
  if (!response.ok) throw readProblem(response, await response.text().catch(() => ""));
  return response;
}
