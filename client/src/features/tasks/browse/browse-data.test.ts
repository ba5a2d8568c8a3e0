import { type LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import { afterEach, describe, expect, it } from "vitest";
import type { Api } from "../../../lib/api.ts";
import { apiContext } from "../../../lib/api-context.ts";
import { createMemory } from "../../../lib/memory.ts";
import { readingAhead } from "../../../lib/read-ahead.ts";
import { aTask } from "../../../testing/builders.ts";
import { createFakeApi } from "../../../testing/fake-api.ts";
import { loader } from "./browse-data.ts";

const TASKS = Array.from({ length: 300 }, () => aTask());

/** A list of 300 tasks; cursors are places in it. */
function aLongList() {
  const api = createFakeApi(({ query }) => {
    const start = Number(query["cursor"] ?? 0);
    const end = start + Number(query["limit"]);
    const headers = end < TASKS.length ? { Link: `</tasks?cursor=${end}>; rel="next"` } : {};
    return { data: TASKS.slice(start, end), headers };
  });
  return { api, memory: createMemory(api) };
}

/** What a navigation does: the loader runs while the address bar still shows the page before. */
async function go(api: Api, address: string) {
  const context = new RouterContextProvider();
  context.set(apiContext, api);
  const request = new Request(new URL(address, location.origin));
  const { tasks } = await loader({ request, context, params: {} } as unknown as LoaderFunctionArgs);
  return tasks.map(({ _id }) => _id);
}
const arrive = (address: string) => window.history.replaceState(null, "", address);
const idsUpTo = (end: number) => TASKS.slice(0, end).map(({ _id }) => _id);

afterEach(() => arrive("/"));

describe("loading more of a long list", () => {
  it("When more is asked for, then only the last page is read, and the list is whole", async () => {
    const { api, memory } = aLongList();
    for (const shown of [24, 48, 72, 96, 120, 144, 168, 192, 216]) {
      const before = api.calls.length;
      expect(await go(memory, `/browsetask?shown=${shown}`)).toEqual(idsUpTo(shown));
      arrive(`/browsetask?shown=${shown}`);
      expect(api.calls).toHaveLength(before + 1);
    }
    expect(api.calls.at(-1)?.query).toMatchObject({ limit: "24", cursor: "192" });
  });

  it("When it was read ahead of the click, then the click reads nothing", async () => {
    const { api, memory } = aLongList();
    await go(memory, "/browsetask?shown=96");
    arrive("/browsetask?shown=96");
    expect(await go(readingAhead(memory, api), "/browsetask?shown=120")).toEqual(idsUpTo(120));
    expect(api.calls).toHaveLength(2);
    expect(await go(memory, "/browsetask?shown=120")).toEqual(idsUpTo(120));
    expect(api.calls).toHaveLength(2);
  });

  it("When the list is loaded again, or is another one, then all of it is read", async () => {
    const { api, memory } = aLongList();
    await go(memory, "/browsetask?shown=192");
    arrive("/browsetask?shown=192");
    expect(api.calls).toHaveLength(2);
    await go(memory, "/browsetask?shown=192");
    expect(api.calls).toHaveLength(4);
    await go(memory, "/browsetask?shown=216&sort=asc");
    expect(api.calls).toHaveLength(7);
    await go(memory, "/dash/dashBrowseTask?shown=216");
    expect(api.calls).toHaveLength(10);
  });

  it("When something was written since, then all of it is read", async () => {
    const { api, memory } = aLongList();
    await go(memory, "/browsetask?shown=192");
    arrive("/browsetask?shown=192");
    memory.forget();
    expect(await go(memory, "/browsetask?shown=216")).toEqual(idsUpTo(216));
    expect(api.calls).toHaveLength(5);
  });
});
