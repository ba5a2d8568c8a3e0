import { Download } from "lucide-react";
import { useState } from "react";
import { apiOrigin } from "../lib/env.ts";
import { notSignedInProblem, offlineProblem, problemText, readProblem } from "../lib/problem.ts";
import { notify } from "../ui/notify.tsx";
import { useAuth } from "./auth-context.tsx";

type Props = {
  /** Path of the API that responds with the file. */
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

/** How long a whole file may take, in ms. The server ends a response of which nothing is taken much sooner. */
const TIMEOUT_MS = 10 * 60_000;

/** What a download needs: where the API is, and the signed-in person's token. */
type DownloadDeps = {
  origin: string;
  getToken(fresh: boolean): Promise<string | null>;
};

/**
 * Fetches a file of the signed-in person and gives it to the browser to keep: a plain link could not send the token.
 * Rejects with {@link ApiProblem}.
 */
async function download({ origin, getToken }: DownloadDeps, path: string, name: string): Promise<void> {
  const response = await fetchFile(origin + path, getToken);
  const blob = await response.blob().catch(() => {
    throw offlineProblem();
  });
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the address only after the click has been dealt with.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function fetchFile(address: string, getToken: DownloadDeps["getToken"]): Promise<Response> {
  const attempt = async (fresh: boolean) => {
    const token = await getToken(fresh).catch(() => {
      throw offlineProblem();
    });
    if (!token) throw notSignedInProblem();
    const headers = { Authorization: `Bearer ${token}` };
    return fetch(address, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
      throw offlineProblem();
    });
  };
  let response = await attempt(false);
  if (response.status === 401) response = await attempt(true);
  if (!response.ok) throw readProblem(response, await response.text().catch(() => ""));
  return response;
}
