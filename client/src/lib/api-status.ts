import { onlineManager } from "@tanstack/react-query";
import { retryAfterOf } from "./problem.ts";

/**
 * `connection`: no response comes. `server`: one comes, and says that nothing can be served right now.
 * `retryAfter`: the seconds that the server asked to wait.
 */
export type Outage = { readonly kind: "connection" | "server"; readonly retryAfter: number | undefined };

let outage: Outage | null = null;

/**
 * Whether the API can be reached, as far as this tab knows from its calls. Tells TanStack Query, which then fetches
 * again what failed or is stale on the screen.
 */
export const apiStatus = {
  /** Null while all is well. */
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

// What the browser says of the connection is a hint only: some say offline where the API is on the same machine.
onlineManager.setEventListener(() => undefined);

/** The shortest and the longest wait between two checks, in ms: each is twice the one before. */
const WAIT_MS = { min: 1_000, max: 30_000 } as const;
/** An outage that begins sooner than this after the last goes on where that was: an overloaded server needs rest. */
const CALM_MS = 30_000;
const CHECK_TIMEOUT_MS = 5_000;

/**
 * Checks whether the API can serve again while there is an outage, ever less often, never before the time it asked for
 * and not while the page is hidden. Returns how to stop.
 * @param url of `GET /ready`.
 */
export function watchReadiness(url: string): () => void {
  let timer: number | undefined;
  let failures = 0;
  let notBefore = 0;
  let upSince = Number.NEGATIVE_INFINITY;
  let checking = false;

  const schedule = (wait: number) => {
    window.clearTimeout(timer);
    if (!outage || document.hidden) return;
    timer = window.setTimeout(check, Math.max(wait, notBefore - Date.now()));
  };
  const backOff = (retryAfter = 0) => {
    notBefore = Date.now() + retryAfter * 1_000;
    const wait = Math.min(WAIT_MS.max, WAIT_MS.min * 2 ** failures);
    failures += 1;
    // Spread out, so that a restarted server is not met by everybody at once.
    schedule(wait * (0.75 + Math.random() / 2));
  };

  async function check(): Promise<void> {
    if (checking) return;
    checking = true;
    const { ready, retryAfter } = await readReadiness(url);
    checking = false;
    if (ready) apiStatus.markUp();
    else backOff(retryAfter);
  }

  const onStatus = () => {
    if (!outage) {
      upSince = Date.now();
      return window.clearTimeout(timer);
    }
    if (Date.now() - upSince > CALM_MS) failures = 0;
    backOff(outage.retryAfter);
  };
  const onOffline = async () => {
    const { ready, responded, retryAfter } = await readReadiness(url);
    if (!ready) apiStatus.markDown(responded ? "server" : "connection", retryAfter);
  };
  const checkNow = () => schedule(0);

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
