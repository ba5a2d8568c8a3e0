import { expect, it, vi } from "vitest";
import { createQueryClient, takePageData } from "./query-client.ts";

/** Opens a page that came with this text, and reads `["a"]` there; `type` is what the browser says of the visit, if anything. */
async function open(text: string | null, type?: NavigationTimingType) {
  vi.spyOn(performance, "getEntriesByType").mockImplementation((entries) =>
    entries === "navigation" && type ? [{ type } as PerformanceNavigationTiming] : [],
  );
  const script = Object.assign(document.createElement("script"), { id: "page-data", type: "text/plain" });
  script.textContent = text;
  if (text !== null) document.body.append(script);
  const queryClient = createQueryClient();
  takePageData(queryClient);
  script.remove();
  const taken = queryClient.getQueryCache().getAll().length;
  const shown = queryClient.getQueryData(["a"]);
  const fetched = await queryClient.fetchQuery({ queryKey: ["a"], queryFn: async () => "read" });
  queryClient.clear();
  return { taken, shown, fetched };
}
const TEXT = '[[["a"],"sent"],[["b",1],{"total":2}]]';

it("When a page has just come with its data, then that is shown, and not read again", async () => {
  for (const type of ["navigate", undefined] as const)
    expect(await open(TEXT, type)).toEqual({ taken: 2, shown: "sent", fetched: "sent" });
});

it("When a page comes back with the back button, then its data is shown, and read again", async () => {
  expect(await open(TEXT, "back_forward")).toEqual({ taken: 2, shown: "sent", fetched: "read" });
});

it("When a page came without data, then it is read", async () => {
  const nothing = { taken: 0, shown: undefined, fetched: "read" };
  expect(await open(null, "navigate")).toEqual(nothing);
  expect(await open("", "navigate")).toEqual(nothing);
});
