import { expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { createFakeApi } from "../testing/fake-api.ts";
import { createMemory } from "./memory.ts";
import { ApiProblem, offlineProblem } from "./problem.ts";

const answer = z.string();

/** A memory before an API that answers each read with a new number. */
function aMemory() {
  let count = 0;
  let time = 0;
  const state = { failure: null as Error | null, same: false };
  const api = createFakeApi(({ path }) => {
    if (state.failure) throw state.failure;
    if (!state.same) count += 1;
    return { data: `${path} ${count}` };
  });
  const memory = createMemory(api, () => time);
  const read = async (path: string) => (await memory.call(path, { answer })).data;
  return { memory, api, read, state, later: (ms: number) => (time += ms) };
}

it("When something is read again, then the API is asked again", async () => {
  const { read } = aMemory();
  expect(await read("/a")).toBe("/a 1");
  expect(await read("/a")).toBe("/a 2");
});

it("When recalling, then the known answer comes without a call; what is not known is asked for", async () => {
  const { memory, read, api } = aMemory();
  await read("/a");
  memory.recall();
  expect(await read("/a")).toBe("/a 1");
  expect(await read("/b")).toBe("/b 2");
  memory.stopRecall();
  expect(await read("/a")).toBe("/a 3");
  expect(api.calls).toHaveLength(3);
});

it("When refreshed after recalling, then it says whether anything changed, and recalls the new", async () => {
  const { memory, read, state, api } = aMemory();
  expect(await memory.refresh()).toBe(false);
  await read("/a");
  memory.recall();
  await read("/a");
  state.same = true;
  expect(await memory.refresh()).toBe(false);
  await read("/a");
  state.same = false;
  expect(await memory.refresh()).toBe(true);
  expect(await read("/a")).toBe("/a 2");
  expect(api.calls).toHaveLength(3);
});

it("When a refresh gets no answer, then the old one stays; when it is refused, then that is news", async () => {
  const { memory, read, state } = aMemory();
  await read("/a");
  memory.recall();
  await read("/a");
  state.failure = offlineProblem();
  expect(await memory.refresh()).toBe(false);
  expect(await read("/a")).toBe("/a 1");
  state.failure = new ApiProblem("task-not-found", 404, "Gone.");
  expect(await memory.refresh()).toBe(true);
  await expect(read("/a")).rejects.toMatchObject({ status: 404 });
});

it("When something is written, then nothing older is recalled, whether the write succeeds or not", async () => {
  const { memory, read, state } = aMemory();
  await read("/a");
  await memory.call("/w", { method: "POST", answer });
  memory.recall();
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
  memory.recall();
  expect((await memory.call("/a", { answer })).data).toBe("new");
});

it("When read ahead, then the next read takes that answer, on its way or there, once and while it is fresh", async () => {
  const { memory, read, api, later } = aMemory();
  const [ahead, asked] = await Promise.all([memory.ahead.call("/a", { answer }), read("/a")]);
  expect(ahead.data).toBe(asked);
  expect(await read("/a")).toBe("/a 2");
  await memory.ahead.call("/a", { answer });
  await memory.ahead.call("/a", { answer });
  expect(api.calls).toHaveLength(3);
  later(6_000);
  expect(await read("/a")).toBe("/a 4");
});

it("When reading ahead fails, then the read asks for itself", async () => {
  const { memory, read, state } = aMemory();
  state.failure = offlineProblem();
  await expect(memory.ahead.call("/a", { answer })).rejects.toBe(state.failure);
  state.failure = null;
  expect(await read("/a")).toBe("/a 1");
});

it("When the person changes, then everything is forgotten", async () => {
  const { memory, read } = aMemory();
  await read("/a");
  memory.forget();
  memory.recall();
  expect(await read("/a")).toBe("/a 2");
});

it("When the browser saves data, then a write reads nothing anew", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  const { memory, read, api } = aMemory();
  await read("/a");
  await memory.call("/w", { method: "POST", answer });
  expect(api.calls).toHaveLength(2);
  vi.unstubAllGlobals();
});

it("When more is read than is kept, then the least recently used is forgotten", async () => {
  const { memory, read } = aMemory();
  await read("/first");
  await read("/second");
  for (let index = 0; index < 59; index++) await read(`/${index}`);
  memory.recall();
  expect(await read("/second")).toBe("/second 2");
  expect(await read("/first")).not.toBe("/first 1");
});
