import { reach } from "../../lib/reach.ts";
import { retryAfterOf } from "../../lib/retry-after.ts";

/** The shortest and the longest wait between two questions, in ms: each is twice the one before. */
const WAIT_MS = { first: 1_000, most: 30_000 } as const;
/** Trouble that comes back sooner than this goes on where it was: who is overloaded must not be asked by the second. */
const CALM_MS = 30_000;
const PATIENCE_MS = 5_000;

/**
 * Asks whether the API can serve while it is known to be away, ever more seldom and never before it said, and tells
 * {@link reach} when it can. Nothing is asked while the page is hidden. Answers how to stop.
 * @param url of `GET /ready`.
 */
export function keepAsking(url: string): () => void {
  let timer: number | undefined;
  let failures = 0;
  let notBefore = 0;
  let backAt = Number.NEGATIVE_INFINITY;
  let asking = false;

  const plan = (wait: number) => {
    window.clearTimeout(timer);
    if (!reach.trouble() || document.hidden) return;
    timer = window.setTimeout(ask, Math.max(wait, notBefore - Date.now()));
  };
  const obey = (seconds: number | undefined) => {
    notBefore = Date.now() + (seconds ?? 0) * 1000;
  };
  const backOff = () => {
    const wait = Math.min(WAIT_MS.most, WAIT_MS.first * 2 ** failures);
    failures += 1;
    // Spread out, so that a restarted server is not met by everybody at once.
    plan(wait * (0.75 + Math.random() / 2));
  };

  async function ask(): Promise<void> {
    if (asking) return;
    asking = true;
    const answer = await question(url);
    asking = false;
    if (answer.ready) return reach.back();
    obey(answer.retryAfter);
    backOff();
  }

  const onReach = () => {
    const trouble = reach.trouble();
    if (!trouble) {
      backAt = Date.now();
      return window.clearTimeout(timer);
    }
    if (Date.now() - backAt > CALM_MS) failures = 0;
    obey(trouble.retryAfter);
    backOff();
  };
  // What the browser says of the connection is a hint: some say offline where the API is on the same machine.
  const onOffline = async () => {
    const { ready, answered, retryAfter } = await question(url);
    if (!ready) reach.lost(answered ? "server" : "connection", retryAfter);
  };
  const atOnce = () => plan(0);

  const stopListening = reach.subscribe(onReach);
  window.addEventListener("online", atOnce);
  window.addEventListener("offline", onOffline);
  document.addEventListener("visibilitychange", atOnce);
  if (reach.trouble()) onReach();
  return () => {
    stopListening();
    window.clearTimeout(timer);
    window.removeEventListener("online", atOnce);
    window.removeEventListener("offline", onOffline);
    document.removeEventListener("visibilitychange", atOnce);
  };
}

type Readiness = { ready: boolean; answered: boolean; retryAfter: number | undefined };

async function question(url: string): Promise<Readiness> {
  try {
    const { status, headers } = await fetch(url, {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { ready: status < 500 && status !== 429, answered: true, retryAfter: retryAfterOf(headers) };
  } catch {
    return { ready: false, answered: false, retryAfter: undefined };
  }
}
