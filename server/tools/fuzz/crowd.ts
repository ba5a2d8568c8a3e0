import type { Sender } from "./send.ts";

/** The rate limit for reads per minute and address. */
const READS = 3_000;
const WINDOW_S = 60;
const CONCURRENCY = 16;
/** Counts against the limit but is cheap, because the id is invalid. */
const PATH = "/tasks/none";

/**
 * Reads from one address until it is rejected, then from more addresses than the limiter can store. The first one must
 * stay rejected until its window ends.
 */
export async function crowdOut({ send }: Sender, { addresses }: { addresses: number }): Promise<string[]> {
  const from = (address: string) =>
    send({ method: "GET", path: PATH, headers: [["X-Forwarded-For", address]] });
  const began = performance.now();
  await concurrently(READS + 1, () => from("192.0.2.1"));
  const { status: refused } = await from("192.0.2.1");
  if (refused !== 429) return [`${READS + 2} reads of one address ended with ${refused}`];
  await concurrently(addresses, (at) =>
    from(`2001:db8:${(at >> 16).toString(16)}:${(at & 65_535).toString(16)}::1`),
  );
  const { status } = await from("192.0.2.1");
  if (status === 429) return [];
  const seconds = (performance.now() - began) / 1_000;
  const why =
    seconds > WINDOW_S ? `: its window ended after ${seconds.toFixed(0)} s, so this proves nothing` : "";
  return [`after ${addresses} other addresses, a rejected one got ${status}${why}`];
}

async function concurrently(times: number, act: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < times) await act(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
