import { expect, it, vi } from "vitest";
import { createQueryClient, hydratePageData } from "./query-client.ts";

/** Opens a page with this embedded data and fetches `["a"]` there; `type` is the browser's navigation type. */
async function open(text: string | null, type?: NavigationTimingType) {
  vi.spyOn(performance, "getEntriesByType").mockImplementation((entries) =>
    entries === "navigation" && type ? [{ type } as PerformanceNavigationTiming] : [],
  );
  const script = Object.assign(document.createElement("script"), { id: "page-data", type: "text/plain" });
  script.textContent = text;
  if (text !== null) document.body.append(script);
  const queryClient = createQueryClient();
  hydratePageData(queryClient);
  script.remove();
  const entries = queryClient.getQueryCache().getAll().length;
  const cached = queryClient.getQueryData(["a"]);
  const fetched = await queryClient.fetchQuery({ queryKey: ["a"], queryFn: async () => "from API" });
  queryClient.clear();
  return { entries, cached, fetched };
}
const TEXT = '[[["a"],"embedded"],[["b",1],{"total":2}]]';

it("When a page has just arrived with its data, then that is used and not fetched again", async () => {
  for (const type of ["navigate", undefined] as const)
    expect(await open(TEXT, type)).toEqual({ entries: 2, cached: "embedded", fetched: "embedded" });
});

it("When a page is restored with the back button, then its data is shown and fetched again", async () => {
  expect(await open(TEXT, "back_forward")).toEqual({ entries: 2, cached: "embedded", fetched: "from API" });
});

it("When a page arrived without data, then the data is fetched", async () => {
  const fetchedOnly = { entries: 0, cached: undefined, fetched: "from API" };
  expect(await open(null, "navigate")).toEqual(fetchedOnly);
  expect(await open("", "navigate")).toEqual(fetchedOnly);
});
