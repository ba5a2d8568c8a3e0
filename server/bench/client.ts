import { measureBudgets } from "../dev/build/budgets.ts";
import { timeToList } from "./browser.ts";

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
  const { listMs, requests, kilobytes } = await timeToList(`${url}/browsetask`, progress);
  return [
    ...sizes,
    `/browsetask in Chromium at 1.6 Mbit/s, 150 ms, CPU slowed 4 times, nothing cached: list usable after ` +
      `${(listMs / 1000).toFixed(1)} s, with ${requests} requests and ${Math.round(kilobytes)} kB until then`,
  ];
}
