import { CancelledError } from "@tanstack/react-query";
import { type LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import { expect, it, vi } from "vitest";
import { type Api, createApi } from "../../../lib/api.ts";
import { apiStatus } from "../../../lib/api-status.ts";
import { firstItems } from "../../../lib/pages.ts";
import { provideApi, queryContext } from "../../../lib/queries.tsx";
import { createQueryClient } from "../../../lib/query-client.ts";
import { aTask } from "../../../testing/builders.ts";
import { createFakeApi, pageOfItems } from "../../../testing/fake-api.ts";
import { browseFilters } from "../task-filters.ts";
import { browseQuery } from "../task-queries.ts";
import { loader } from "./browse-page.tsx";

const TASKS = Array.from({ length: 300 }, () => aTask());
const idsUpTo = (end: number) => TASKS.slice(0, end).map(({ _id }) => _id);

/** Browse over a list of 300 tasks. */
function aLongList() {
  const api = createFakeApi((call) => pageOfItems(TASKS, call));
  const requests = () => api.calls.splice(0).map(({ query }) => query["cursor"]);
  return { ...openBrowse(api), requests };
}

function openBrowse(api: Api) {
  const queryClient = createQueryClient();
  const context = new RouterContextProvider();
  context.set(queryContext, queryClient);
  provideApi(queryClient, api);
  const open = async (query: string, signal: AbortSignal | null = null) => {
    const request = new Request(`http://app.test/browsetask${query}`, { signal });
    const { state } = await loader({ request, context, params: {} } as unknown as LoaderFunctionArgs);
    const data = queryClient.getQueryData(browseQuery(state).queryKey);
    return firstItems(data, state.shown).items.map(({ _id }) => _id);
  };
  return { queryClient, open };
}

it("When more is requested, also twice at the same time, then only the next page is fetched, once, and the list is complete", async () => {
  const { open, requests } = aLongList();
  expect(await open("")).toEqual(idsUpTo(24));
  expect(requests()).toEqual([undefined]);
  // The next page is being prefetched when it is requested.
  expect(await Promise.all([open("?shown=48"), open("?shown=48")])).toEqual([idsUpTo(48), idsUpTo(48)]);
  expect(requests()).toEqual(["24"]);
  expect(await open("?shown=96")).toEqual(idsUpTo(96));
  expect(requests()).toEqual(["48", "72"]);
  expect(await open("")).toEqual(idsUpTo(24));
  expect(requests()).toEqual([]);
});

it("When the filters differ, then the whole list is fetched; an invalidated one is shown at once, for the page to refresh", async () => {
  const { queryClient, open, requests } = aLongList();
  await open("?shown=48");
  await open("?shown=48&sort=asc");
  expect(requests()).toEqual([undefined, "24", undefined, "24"]);
  const { queryKey } = browseQuery(browseFilters.read(new URLSearchParams()));
  await queryClient.invalidateQueries({ queryKey });
  expect(await open("?shown=48")).toEqual(idsUpTo(48));
  expect(requests()).toEqual([]);
});

it("When a search is superseded, then its request is aborted, which is no outage, and a later one of the same text is sent", async () => {
  const sent: (AbortSignal | null | undefined)[] = [];
  const api = createApi({
    ...{ origin: "http://api.test", getToken: async () => null },
    fetch: (_url, init) =>
      new Promise((resolve, reject) => {
        sent.push(init?.signal);
        if (sent.length > 1) resolve(Response.json([]));
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      }),
  });
  const { open } = openBrowse(api);
  const navigation = new AbortController();
  const first = open("?search=logo", navigation.signal);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  navigation.abort();
  await expect(first).rejects.toBeInstanceOf(CancelledError);
  expect(sent[0]?.aborted).toBe(true);
  expect(apiStatus.outage()).toBeNull();
  expect(await open("?search=logo")).toEqual([]);
  expect(sent).toHaveLength(2);
});
