import { type LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import { expect, it } from "vitest";
import { apiContext } from "../../../lib/api-context.tsx";
import { firstItems } from "../../../lib/pages.ts";
import { createQueryClient } from "../../../lib/query-client.ts";
import { aTask } from "../../../testing/builders.ts";
import { createFakeApi } from "../../../testing/fake-api.ts";
import { readBrowseState } from "../task-filters.ts";
import { browseQuery } from "../task-queries.ts";
import { loader } from "./browse-data.ts";

const TASKS = Array.from({ length: 300 }, () => aTask());

/** Browse over a list of 300 tasks; a cursor is an index into it. */
function aLongList() {
  const api = createFakeApi(({ query }) => {
    const start = Number(query["cursor"] ?? 0);
    const end = start + Number(query["limit"]);
    const headers = end < TASKS.length ? { Link: `</tasks?cursor=${end}>; rel="next"` } : {};
    return { data: TASKS.slice(start, end), headers };
  });
  const queryClient = createQueryClient();
  const context = new RouterContextProvider();
  context.set(apiContext, { api, queryClient });
  const open = async (query: string) => {
    const request = new Request(`http://app.test/browsetask${query}`);
    const { state } = await loader({ request, context, params: {} } as unknown as LoaderFunctionArgs);
    const data = queryClient.getQueryData(browseQuery(api, state).queryKey) ?? { pages: [] };
    return firstItems(data, state.shown).items.map(({ _id }) => _id);
  };
  return { api, queryClient, open };
}
const idsUpTo = (end: number) => TASKS.slice(0, end).map(({ _id }) => _id);

it("When more is requested, then only the next page is fetched, and the list is complete", async () => {
  const { api, open } = aLongList();
  for (const shown of [24, 48, 72, 96, 120]) {
    const before = api.calls.length;
    expect(await open(`?shown=${shown}`)).toEqual(idsUpTo(shown));
    expect(api.calls).toHaveLength(before + 1);
  }
  expect(api.calls.at(-1)?.query).toMatchObject({ limit: "24", cursor: "96" });
});

it("When the next page is prefetched and requested at the same time, then it is fetched once", async () => {
  const { api, open } = aLongList();
  await open("");
  const [prefetched, clicked] = await Promise.all([open("?shown=48"), open("?shown=48")]);
  expect(prefetched).toEqual(idsUpTo(48));
  expect(clicked).toEqual(idsUpTo(48));
  expect(api.calls).toHaveLength(2);
});

it("When fewer tasks are requested than are cached, then only those are shown", async () => {
  const { api, open } = aLongList();
  await open("?shown=96");
  expect(await open("")).toEqual(idsUpTo(24));
  expect(api.calls).toHaveLength(4);
});

it("When the filters differ, or the list was invalidated, then the whole list is fetched", async () => {
  const { api, queryClient, open } = aLongList();
  await open("?shown=48");
  await open("?shown=48&sort=asc");
  expect(api.calls).toHaveLength(4);
  const { queryKey } = browseQuery(api, readBrowseState(new URLSearchParams()));
  await queryClient.invalidateQueries({ queryKey });
  await open("?shown=48");
  expect(api.calls).toHaveLength(6);
});
