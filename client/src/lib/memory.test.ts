import { afterEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { createFakeApi } from "../testing/fake-api.ts";
import { createEarlyApi } from "./early-api.ts";
import { createMemory } from "./memory.ts";
import { offlineProblem } from "./problem.ts";
import { readingAhead } from "./read-ahead.ts";

const answer = z.string();

/** A memory before an API that answers each read with a new number. */
function aMemory() {
  let count = 0;
  const state = { failure: null as Error | null };
  const api = createFakeApi(({ path }) => {
    if (state.failure) throw state.failure;
    count += 1;
    return { data: `${path} ${count}` };
  });
  const memory = createMemory(api);
  const read = async (path: string) => (await memory.call(path, { answer })).data;
  return { memory, api, read, state, ahead: readingAhead(memory, api) };
}

afterEach(() => vi.useRealTimers());

it("When something is read again, then the API is asked again", async () => {
  const { read } = aMemory();
  expect(await read("/a")).toBe("/a 1");
  expect(await read("/a")).toBe("/a 2");
});

it("When recalling, then the known answer comes without a call; what is not known is asked for", async () => {
  const { memory, read, api } = aMemory();
  await read("/a");
  memory.recalling = true;
  expect(await read("/a")).toBe("/a 1");
  expect(await read("/b")).toBe("/b 2");
  expect(memory.recalled.size).toBe(1);
  memory.recalling = false;
  expect(await read("/a")).toBe("/a 3");
  expect(api.calls).toHaveLength(3);
});

it("When something is written, then nothing older is recalled, whether the write succeeds or not", async () => {
  const { memory, read, state } = aMemory();
  memory.recalling = true;
  await read("/a");
  await memory.call("/w", { method: "POST", answer });
  expect(await read("/a")).toBe("/a 3");
  state.failure = offlineProblem();
  await expect(memory.call("/w", { method: "POST", answer })).rejects.toBe(state.failure);
  state.failure = null;
  expect(await read("/a")).toBe("/a 4");
});

it("When a read is overtaken by a write, then it is not remembered", async () => {
  let answerSlowly: (value: { data: string }) => void = () => undefined;
  let first = true;
  const api = createFakeApi(({ method }) => {
    if (method !== "GET" || !first) return { data: "new" };
    first = false;
    return new Promise((resolve) => {
      answerSlowly = resolve;
    });
  });
  const memory = createMemory(api);
  const slow = memory.call("/a", { answer });
  await memory.call("/w", { method: "PUT", answer });
  answerSlowly({ data: "old" });
  expect((await slow).data).toBe("old");
  memory.recalling = true;
  expect((await memory.call("/a", { answer })).data).toBe("new");
});

it("When read ahead, then the next read takes that answer, on its way or there, once and while it is fresh", async () => {
  vi.useFakeTimers();
  const { ahead, read, api } = aMemory();
  const [early, asked] = await Promise.all([ahead.call("/a", { answer }), read("/a")]);
  expect(early.data).toBe(asked);
  expect(await read("/a")).toBe("/a 2");
  await ahead.call("/a", { answer });
  await ahead.call("/a", { answer });
  expect(api.calls).toHaveLength(3);
  vi.advanceTimersByTime(6_000);
  expect(await read("/a")).toBe("/a 4");
});

it("When reading ahead fails, then the read asks for itself", async () => {
  const { ahead, read, state } = aMemory();
  state.failure = offlineProblem();
  await expect(ahead.call("/a", { answer })).rejects.toBe(state.failure);
  state.failure = null;
  expect(await read("/a")).toBe("/a 1");
});

it("When everything is forgotten, then nothing is recalled", async () => {
  const { memory, read } = aMemory();
  await read("/a");
  memory.forget();
  memory.recalling = true;
  expect(await read("/a")).toBe("/a 2");
});

it("When more is read than is kept, then the oldest is forgotten", async () => {
  const { memory, read } = aMemory();
  for (const path of ["/first", "/second", "/first"]) await read(path);
  for (let index = 0; index < 59; index++) await read(`/${index}`);
  memory.recalling = true;
  expect(await read("/first")).toBe("/first 3");
  expect(await read("/second")).not.toBe("/second 2");
});

it("When something was read before there was a memory, then it knows the answer, unless something was written since", async () => {
  for (const write of [false, true]) {
    const { api } = aMemory();
    const early = createEarlyApi(api);
    const read = async (path: string) => (await early.call(path, { answer })).data;
    await read("/a");
    if (write) await early.call("/w", { method: "POST", answer });
    const memory = createMemory(api, early.early);
    early.next = memory;
    await read("/b");
    memory.recalling = true;
    expect(await read("/a")).toBe(write ? "/a 4" : "/a 1");
  }
});

it("When a read before there was a memory failed, then it is asked for again", async () => {
  const { api, state } = aMemory();
  const early = createEarlyApi(api);
  state.failure = offlineProblem();
  await expect(early.call("/a", { answer })).rejects.toBe(state.failure);
  state.failure = null;
  early.next = createMemory(api, early.early);
  early.next.recalling = true;
  expect((await early.call("/a", { answer })).data).toBe("/a 1");
});

it("When something known is read ahead and no answer comes, then going back shows what was known", async () => {
  const { memory, read, ahead, state, api } = aMemory();
  await read("/a");
  const call = api.call;
  api.call = () => new Promise(() => undefined);
  void ahead.call("/a", { answer });
  memory.recalling = true;
  expect(await read("/a")).toBe("/a 1");
  memory.recalling = false;
  api.call = call;
  state.failure = offlineProblem();
  await expect(ahead.call("/b", { answer })).rejects.toBe(state.failure);
  expect(memory.known.size).toBe(1);
});
