import { afterEach, expect, it, vi } from "vitest";
import {
  draftKey,
  readDraft,
  removeDraft,
  removeDrafts,
  renewIdempotencyKey,
  sendOnce,
  settleDraft,
  writeDraft,
} from "./drafts.ts";
import { ApiProblem, offlineProblem } from "./problem.ts";

const KEY = draftKey("ann", "new");
const values = { title: "A", category: "", description: "B\nC", deadline: "", budget: "1.5" };

// It may be in memory.
afterEach(() => removeDraft(KEY));

/** Sends the draft. @returns the idempotency key that was sent. */
async function send(failure?: Error): Promise<string> {
  let sent = "";
  await sendOnce(KEY, async (idempotencyKey) => {
    sent = idempotencyKey;
    if (failure) throw failure;
  }).catch((error: unknown) => expect(error).toBe(failure));
  return sent;
}

it("When somebody logs out, then their drafts, unfinished uploads and drafts without a login are removed, and no others", () => {
  const [contact, others] = [draftKey("", "contact"), draftKey("anna", "new")];
  const keys = [contact, KEY, others];
  const titles = () => keys.map((key) => readDraft(key)?.values["title"]);
  for (const key of keys) writeDraft(key, { title: key });
  // What is typed without a login stays in its tab.
  expect(Object.keys(localStorage).sort()).toEqual([KEY, others]);
  expect(titles()).toEqual(keys);
  expect(readDraft(draftKey("ann", "t1"))).toBeNull();
  localStorage.setItem("tus::tus-br-secret.txt::1", "{}");
  removeDrafts("ann");
  expect(titles()).toEqual([undefined, undefined, others]);
  expect(Object.keys(localStorage)).toEqual([others]);
});

it("When a draft was not written to for 30 days, then it is gone, also if its form is not opened again", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const [left, never] = [draftKey("ann", "b"), draftKey("ann", "c")];
  for (const key of [KEY, left, never]) writeDraft(key, values);
  const day = 24 * 60 * 60 * 1_000;
  vi.setSystemTime(Date.now() + 29 * day);
  writeDraft(KEY, values);
  expect(readDraft(left)?.values).toEqual(values);
  vi.setSystemTime(Date.now() + day);
  expect([KEY, left].map((key) => readDraft(key)?.values)).toEqual([values, undefined]);
  expect(Object.keys(localStorage)).toContain(never);
  // The next visit.
  vi.resetModules();
  await import("./drafts.ts");
  expect(Object.keys(localStorage)).toEqual([KEY]);
});

it("When two tabs have the same form, then the draft is what was typed last, and what one of them sent is gone", async () => {
  vi.resetModules();
  const second = await import("./drafts.ts");
  writeDraft(KEY, { title: "First tab" });
  second.writeDraft(KEY, { title: "Second tab" });
  settleDraft(KEY, { title: "First tab" });
  expect(readDraft(KEY)?.values).toEqual({ title: "Second tab" });
  second.settleDraft(KEY, { title: "Second tab" });
  expect(readDraft(KEY)).toBeNull();
});

it.each(["not json", "7", "null", '{"at":9e15,"values":{"title":{"$ne":1}}}', '{"at":9e15,"values":7}'])(
  "When storage contains %s, then there is no draft",
  (text) => {
    localStorage.setItem("k", text);
    expect(readDraft("k")).toBeNull();
  },
);

it("When the response is lost, then the same key is sent again; after a rejection, a save or a renewal, a new one", async () => {
  writeDraft(KEY, values, { version: 3 });
  const lost = await send(offlineProblem());
  expect(await send(new ApiProblem("invalid", 422, "Wrong."))).toBe(lost);
  const keys = [lost, await send(offlineProblem())];
  renewIdempotencyKey(KEY);
  keys.push(await send());
  expect(readDraft(KEY)).toEqual({ values, basis: { version: 3 } });
  settleDraft(KEY, values);
  expect(localStorage.length).toBe(0);
  keys.push(await send());
  expect(new Set(keys).size).toBe(4);
});

it("When the page is loaded again after a response was lost, then the same key is sent again", async () => {
  writeDraft(KEY, values);
  const lost = await send(offlineProblem());
  vi.resetModules();
  const reloaded = await import("./drafts.ts");
  expect(reloaded.readDraft(KEY)?.values).toEqual(values);
  await reloaded.sendOnce(KEY, async (idempotencyKey) => expect(idempotencyKey).toBe(lost));
});

it("When storage is full, then drafts and their keys are kept in memory, until they are saved or removed", async () => {
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  writeDraft(KEY, values);
  const lost = await send(offlineProblem());
  expect(await send(offlineProblem())).toBe(lost);
  removeDrafts("ann");
  expect(readDraft(KEY)).toBeNull();
  expect(await send(offlineProblem())).not.toBe(lost);
  full.mockRestore();
  // Stored, and no longer in memory.
  writeDraft(KEY, { title: "B" });
  localStorage.removeItem(KEY);
  expect(readDraft(KEY)).toBeNull();
});
