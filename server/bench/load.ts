import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";

/** What is asked: each call names the next request. */
export type Ask = () => { method: "GET" | "PATCH"; path: string; headers?: Record<string, string> };

/** What one round measured: latencies in milliseconds, of answers with status 200. */
export type Round = { latencies: number[]; seconds: number; failures: number };

/** Answers slower than this are asked for one by one: a queue of them would measure the queue. */
const SLOW_MS = 50;
const HOPELESS_MS = 500;
const PROBES = 4;
const SLOW_REQUESTS = 10;
const PATIENCE_MS = 120_000;

/** Asks for `seconds` on `connections` connections at once; a slow answer a few times, one after another. */
export async function measureRound(
  url: string,
  ask: Ask,
  options: { seconds: number; connections: number },
): Promise<Round> {
  // The fastest of a few: one answer alone may have met a bad moment of the machine.
  let first = await askOnce(url, ask);
  for (let probe = 1; probe < PROBES && first.ms > SLOW_MS && first.ms < HOPELESS_MS; probe++) {
    first = await askOnce(url, ask);
  }
  if (first.ms <= SLOW_MS && first.ok) return underLoad(url, ask, options);
  const round: Round = {
    latencies: first.ok ? [first.ms] : [],
    seconds: first.ms / 1000,
    failures: first.ok ? 0 : 1,
  };
  // Not longer than a round takes, but for the last answer.
  while (round.seconds < options.seconds && round.latencies.length + round.failures < SLOW_REQUESTS) {
    const { ms, ok } = await askOnce(url, ask);
    round.seconds += ms / 1000;
    if (ok) round.latencies.push(ms);
    else round.failures += 1;
  }
  return round;
}

async function askOnce(url: string, ask: Ask): Promise<{ ms: number; ok: boolean }> {
  const { path, ...init } = ask();
  const started = performance.now();
  let ok = false;
  try {
    const answer = await fetch(url + path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    for await (const _chunk of answer.body ?? []);
    ok = answer.ok;
  } catch {
    // Counted as a failure: figures are figures.
    await sleep(50);
  }
  return { ms: performance.now() - started, ok };
}

async function underLoad(
  url: string,
  ask: Ask,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Round> {
  const latencies: number[] = [];
  let failures = 0;
  const started = performance.now();
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: seconds,
        // A function is asked anew before each request; a plain list would make all connections ask the same at once.
        requests: [{ setupRequest: (request) => ({ ...request, ...ask() }) }],
      },
      (error) => (error ? reject(error) : resolve()),
    );
    instance.on("response", (_client, status, _bytes, ms) => {
      if (status === 200) latencies.push(ms);
      else failures += 1;
    });
    instance.on("reqError", () => {
      failures += 1;
    });
  });
  return { latencies, seconds: (performance.now() - started) / 1000, failures };
}
