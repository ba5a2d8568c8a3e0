import type { Sender } from "./send.ts";

/** The limit of reads in a minute for one address. */
const READS = 3_000;
const WINDOW_S = 60;
const AT_ONCE = 16;
/** Counted by the limiter, but cheap: the id is invalid. */
const PATH = "/tasks/none";

/**
 * One address reads until it is refused; then more others come than the limiter remembers. The first one must still be
 * refused while its window lasts.
 */
export async function crowdOut({ send }: Sender, { addresses }: { addresses: number }): Promise<string[]> {
  const from = (address: string) =>
    send({ method: "GET", path: PATH, headers: [["X-Forwarded-For", address]] });
  const began = performance.now();
  await atOnce(READS + 1, () => from("192.0.2.1"));
  const { status: refused } = await from("192.0.2.1");
  if (refused !== 429) return [`${READS + 2} reads of one address ended with ${refused}`];
  await atOnce(addresses, (at) =>
    from(`2001:db8:${(at >> 16).toString(16)}:${(at & 65_535).toString(16)}::1`),
  );
  const { status } = await from("192.0.2.1");
  if (status === 429) return [];
  const seconds = (performance.now() - began) / 1_000;
  const why =
    seconds > WINDOW_S ? `: in ${seconds.toFixed(0)} s its window was over, which shows nothing` : "";
  return [`after ${addresses} other addresses, one that was refused got ${status}${why}`];
}

async function atOnce(times: number, act: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < times) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
