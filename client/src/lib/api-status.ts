import { onlineManager } from "@tanstack/react-query";
import { retryAfterOf } from "./problem.ts";

/**
 * `connection`: there is no response. `server`: the server responds that it is unavailable.
 * `retryAfter`: the seconds that the server asked to wait.
 */
export type Outage = { readonly kind: "connection" | "server"; readonly retryAfter: number | undefined };

let outage: Outage | null = null;

/**
 * Whether the API is reachable, judging by this tab's calls. TanStack Query is notified, and refetches visible queries
 * that failed or are stale.
 */
export const apiStatus = {
  /** Null while the API is reachable. */
  outage: (): Outage | null => outage,
  markDown(kind: Outage["kind"], retryAfter?: number): void {
    if (outage) return;
    outage = { kind, retryAfter };
    onlineManager.setOnline(false);
  },
  markUp(): void {
    if (!outage) return;
    outage = null;
    onlineManager.setOnline(true);
  },
  /** Calls back when an outage begins or ends. Returns an unsubscribe function. */
  subscribe: (listener: () => void): (() => void) => onlineManager.subscribe(listener),
};

// `navigator.onLine` is only a hint: some browsers report offline although the API is on the same machine.
onlineManager.setEventListener(() => undefined);

/** The wait between two checks doubles from `min` to `max`, in ms. */
const WAIT_MS = { min: 1_000, max: 30_000 } as const;
/** An outage that begins sooner than this after the last one keeps its backoff: the server may be overloaded. In ms. */
const BACKOFF_RESET_MS = 30_000;
const CHECK_TIMEOUT_MS = 5_000;

/**
 * During an outage, and while the browser reports offline, polls whether the API is ready with exponential backoff,
 * honoring `Retry-After`, and not while the page is hidden. Returns a function that stops it.
 * @param url of `GET /ready`.
 */
export function watchReadiness(url: string): () => void {
  let timer: number | undefined;
  let failures = 0;
  let notBefore = 0;
  let upSince = Number.NEGATIVE_INFINITY;
  let checking = false;

  // One check is not enough when the browser reports offline: the connection may break a moment later.
  const isNeeded = () => outage !== null || !navigator.onLine;
  const schedule = (wait: number) => {
    window.clearTimeout(timer);
    if (!isNeeded() || document.hidden) return;
    timer = window.setTimeout(check, Math.max(wait, notBefore - Date.now()));
  };
  const backOff = (retryAfter = 0) => {
    notBefore = Date.now() + retryAfter * 1_000;
    const wait = Math.min(WAIT_MS.max, WAIT_MS.min * 2 ** failures);
    failures += 1;
    // Jitter, so that not all clients hit a restarted server at the same time.
    schedule(wait * (0.75 + Math.random() / 2));
  };

  async function check(): Promise<void> {
    if (checking) return;
    checking = true;
    const { ready, responded, retryAfter } = await readReadiness(url);
    checking = false;
    if (ready) apiStatus.markUp();
    // Notifies `onStatus`, which schedules the next check.
    else if (!outage) return apiStatus.markDown(responded ? "server" : "connection", retryAfter);
    if (isNeeded()) backOff(retryAfter);
  }

  const onStatus = () => {
    if (!outage) {
      upSince = Date.now();
      return schedule(WAIT_MS.min);
    }
    if (Date.now() - upSince > BACKOFF_RESET_MS) failures = 0;
    backOff(outage.retryAfter);
  };
  const checkNow = () => schedule(0);
  const onOffline = () => {
    failures = 0;
    checkNow();
  };

  const unsubscribe = apiStatus.subscribe(onStatus);
  window.addEventListener("online", checkNow);
  window.addEventListener("offline", onOffline);
  document.addEventListener("visibilitychange", checkNow);
  if (outage) onStatus();
  return () => {
    unsubscribe();
    window.clearTimeout(timer);
    window.removeEventListener("online", checkNow);
    window.removeEventListener("offline", onOffline);
    document.removeEventListener("visibilitychange", checkNow);
  };
}

type Readiness = { ready: boolean; responded: boolean; retryAfter?: number | undefined };

async function readReadiness(url: string): Promise<Readiness> {
  try {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const { status, headers } = await fetch(url, { cache: "no-store", signal });
    return { ready: status < 500 && status !== 429, responded: true, retryAfter: retryAfterOf(headers) };
  } catch {
    return { ready: false, responded: false };
  }
}
