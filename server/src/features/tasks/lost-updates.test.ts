import { describe, expect, test } from "vitest";
import { aTaskDraft, expectProblem, type Person, useHarness, usePeople } from "../../../test/index.ts";

const harness = useHarness();
const [ada, grace] = usePeople("Ada", "Grace");

const put = (id: string, title: string, ifMatch?: string) => {
  const request = harness.as(ada).put(`/tasks/${id}`, aTaskDraft({ title }));
  return ifMatch === undefined ? request : request.set("If-Match", ifMatch);
};
const tagOf = async (id: string, by?: Person) =>
  String((await harness.as(by).get(`/tasks/${id}`)).headers["etag"]);

describe("If-Match", () => {
  test("When the task is unchanged since it was read, then it is saved, and the tag is outdated afterwards", async () => {
    const id = await harness.postTask(ada);
    const tag = await tagOf(id, ada);
    expect(tag).toMatch(/^"0-/);
    expect((await put(id, "First", tag).expect(200)).body).toMatchObject({ modifiedCount: 1 });
    const response = await put(id, "Second", tag);
    const problem = expectProblem(response, "changed-meanwhile");
    expect(problem.version).toBe(1);
    expect(response.headers["etag"]).toBe('"1"');
    expect((await harness.taskInStore(id))?.title).toBe("First");
    await put(id, "Second", '"1"').expect(200);
  });

  test("When 20 tabs save the version they read at the same moment, then only one save succeeds", async () => {
    const id = await harness.postTask(ada);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, tab) => put(id, `Tab ${tab}`, '"0"')));
    const saved = responses.filter(({ status }) => status === 200);
    expect(saved).toHaveLength(1);
    for (const response of responses)
      if (response.status !== 200) expectProblem(response, "changed-meanwhile");
    expect(await harness.taskInStore(id)).toMatchObject({
      title: `Tab ${responses.indexOf(saved[0] as never)}`,
      revision: 1,
    });
  });

  test("When somebody else saves, then the refusal does not reveal the current version", async () => {
    const id = await harness.postTask(ada);
    const response = await harness.as(grace).put(`/tasks/${id}`, aTaskDraft()).set("If-Match", '"9"');
    expect(expectProblem(response, "not-your-task").version).toBeUndefined();
  });

  test("When the state is changed with an old version, then it is refused; with the current one it succeeds", async () => {
    const id = await harness.postTask(ada);
    await put(id, "Changed").expect(200);
    const cancel = (tag: string) =>
      harness.as(ada).patch(`/tasks/${id}/state`, { state: "cancelled" }).set("If-Match", tag);
    expect(expectProblem(await cancel('"0"'), "changed-meanwhile").version).toBe(1);
    await cancel('"1"').expect(200);
    const reopen = (tag: string) =>
      harness.as(ada).patch(`/tasks/${id}/state`, { state: "open" }).set("If-Match", tag);
    expectProblem(await reopen('"1"'), "changed-meanwhile");
    await reopen('"2"').expect(200);
  });

  test("When a bid arrives in between, then the owner's save still succeeds", async () => {
    const id = await harness.postTask(ada);
    const tag = await tagOf(id, ada);
    await harness.ok(grace).patch(`/tasks/${id}/bid`);
    expect(await tagOf(id, ada)).not.toBe(tag);
    await put(id, "Saved", tag).expect(200);
  });
});

test("When a task has not changed, then 304, with different tags for plain and compressed responses", async () => {
  const id = await harness.postTask(ada, { description: "long ".repeat(900) });
  const read = (headers: Record<string, string>) => harness.as().get(`/tasks/${id}`).set(headers);
  const plain = (await read({ "Accept-Encoding": "identity" }).expect(200)).headers["etag"] as string;
  const packed = (await read({ "Accept-Encoding": "gzip" }).expect(200)).headers["etag"] as string;
  expect(packed).toBe(plain.replace(/"$/, '-gzip"'));
  await read({ "Accept-Encoding": "gzip", "If-None-Match": packed }).expect(304);
  await read({ "Accept-Encoding": "identity", "If-None-Match": plain }).expect(304);
  await read({ "Accept-Encoding": "identity", "If-None-Match": packed }).expect(200);
  await put(id, "Saved", packed).expect(200);
});
