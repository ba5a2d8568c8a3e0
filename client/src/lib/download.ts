import { ApiProblem, offlineProblem } from "./problem.ts";

/** What a download needs: where the API is, and the signed-in person's token. */
export type DownloadDeps = {
  origin: string;
  getToken(fresh: boolean): Promise<string | null>;
};

/**
 * Fetches a file of the signed-in person and gives it to the browser to keep: a plain link could not send the token.
 * Rejects with {@link ApiProblem}.
 */
export async function download(
  { origin, getToken }: DownloadDeps,
  path: string,
  name: string,
): Promise<void> {
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
    if (!token) throw new ApiProblem("not-signed-in", 401, "Please log in to continue.");
    return fetch(address, { headers: { Authorization: `Bearer ${token}` } }).catch(() => {
      throw offlineProblem();
    });
  };
  let response = await attempt(false);
  if (response.status === 401) response = await attempt(true);
  if (response.status === 401) throw new ApiProblem("session-expired", 401, "Please log in again.");
  if (!response.ok)
    throw new ApiProblem("internal", response.status, "The file could not be made. Please try again.");
  return response;
}
