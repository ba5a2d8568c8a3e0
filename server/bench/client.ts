import { measureBudgets } from "../dev/build/budgets.ts";
import { longList, timeToList, withBrowser } from "./browser.ts";
import { formatMs } from "./figures.ts";

/** What the client costs a visitor, a line each. */
export async function measureClient(
  url: string,
  webRoot: string,
  progress: (text: string) => void,
): Promise<string[]> {
  const sizes = measureBudgets(webRoot).map(
    ({ page, kind, kilobytes }) => `${page}, ${kind}: ${kilobytes.toFixed(1)} kB gzipped`,
  );
  progress("opening /browsetask in Chromium");
  const { first, long } = await withBrowser(progress, async (browser) => ({
    first: await timeToList(browser, `${url}/browsetask`),
    long: await longList(browser, `${url}/browsetask`),
  }));
  return [
    ...sizes,
    `/browsetask in Chromium at 1.6 Mbit/s, 150 ms, CPU slowed 4 times, nothing cached: list usable after ` +
      `${(first.listMs / 1000).toFixed(1)} s, with ${first.requests} requests and ${Math.round(first.kilobytes)} kB until then`,
    `"Load more tasks" until ${long.cards} cards stand there: ${formatMs(long.onePageMs)} from click to cards for the first pages, ` +
      `${formatMs(long.lastPageMs)} for the last; scrolled through in 300 frames, 95 % of them come within ${formatMs(long.frameP95Ms)}, ` +
      `longest task ${long.longestTaskMs === 0 ? "under 50 ms" : formatMs(long.longestTaskMs)}`,
  ];
}
