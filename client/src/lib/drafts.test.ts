import { expect, it, vi } from "vitest";
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

const values = { title: "A", category: "", description: "B\nC", deadline: "", budget: "1.5" };

it("When a draft is stored, then only the same person finds it, in the same form", () => {
  writeDraft(draftKey("ann", "new"), values);
  expect(readDraft(draftKey("ann", "new"))?.values).toEqual(values);
  expect(readDraft(draftKey("bob", "new"))).toBeNull();
  expect(readDraft(draftKey("ann", "t1"))).toBeNull();
  removeDraft(draftKey("ann", "new"));
  expect(readDraft(draftKey("ann", "new"))).toBeNull();
});

it("When somebody logs out, then their drafts and those without a login are removed, and no others", () => {
  const [contact, own, others] = [draftKey("", "contact"), draftKey("ann", "new"), draftKey("anna", "new")];
  for (const key of [contact, own, others]) writeDraft(key, { title: key });
  // What is typed without a login stays in its tab.
  expect(Object.keys(localStorage).sort()).toEqual([own, others]);
  expect(readDraft(contact)?.values).toEqual({ title: contact });
  removeDrafts("ann");
  expect([contact, own, others].map((key) => readDraft(key)?.values)).toEqual([
    undefined,
    undefined,
    { title: others },
  ]);
});

it("When a draft was not written to for 30 days, then it is gone, also if its form is not opened again", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const [renewed, left, never] = ["a", "b", "c"].map((form) => draftKey("ann", form)) as [
    string,
    string,
    string,
  ];
  for (const key of [renewed, left, never]) writeDraft(key, values);
  const day = 24 * 60 * 60 * 1_000;
  vi.setSystemTime(Date.now() + 29 * day);
  writeDraft(renewed, values);
  expect(readDraft(left)?.values).toEqual(values);
  vi.setSystemTime(Date.now() + day);
  expect([renewed, left].map((key) => readDraft(key)?.values)).toEqual([values, undefined]);
  expect(Object.keys(localStorage).sort()).toEqual([renewed, never]);
  // The next visit.
  vi.resetModules();
  await import("./drafts.ts");
  expect(Object.keys(localStorage)).toEqual([renewed]);
  vi.useRealTimers();
});

it("When two tabs have the same form, then the draft is what was typed last, and what one of them sent is gone", async () => {
  const key = draftKey("ann", "new");
  writeDraft(key, { title: "First tab" });
  vi.resetModules();
  const second = await import("./drafts.ts");
  expect(second.readDraft(key)?.values).toEqual({ title: "First tab" });
  second.writeDraft(key, { title: "Second tab" });
  expect(readDraft(key)?.values).toEqual({ title: "Second tab" });
  settleDraft(key, { title: "First tab" });
  expect(second.readDraft(key)?.values).toEqual({ title: "Second tab" });
  second.settleDraft(key, { title: "Second tab" });
  expect(readDraft(key)).toBeNull();
});

it.each([
  "not json",
  "7",
  "null",
  '{"at":9e15,"values":{"title":{"$ne":1}}}',
  "[]",
  '{"at":9e15,"values":7}',
])("When storage contains %s, then there is no draft", (text) => {
  localStorage.setItem("k", text);
  expect(readDraft("k")).toBeNull();
});

it("When the response is lost, then the same key is sent again; after a rejection or a save, a new one", async () => {
  const key = draftKey("ann", "new");
  const sent: string[] = [];
  const send = (outcome: Error | null) =>
    sendOnce(key, async (idempotencyKey) => {
      sent.push(idempotencyKey);
      if (outcome) throw outcome;
    }).catch(() => undefined);
  writeDraft(key, values);
  await send(offlineProblem());
  writeDraft(key, { ...values, title: "B" });
  await send(new ApiProblem("invalid", 422, "Wrong."));
  await send(null);
  settleDraft(key, { ...values, title: "B" });
  await send(null);
  const [lost, rejected, saved, next] = sent;
  expect(rejected).toBe(lost);
  expect(new Set([lost, saved, next]).size).toBe(3);
  expect(readDraft(key)).toBeNull();
});

it("When storage is full and the response is lost, then the same key is sent again until the draft is saved", async () => {
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const key = draftKey("ann", "new");
  const sent: string[] = [];
  const lose = async (idempotencyKey: string) => {
    sent.push(idempotencyKey);
    throw offlineProblem();
  };
  writeDraft(key, values);
  await sendOnce(key, lose).catch(() => undefined);
  await sendOnce(key, lose).catch(() => undefined);
  settleDraft(key, values);
  await sendOnce(key, lose).catch(() => undefined);
  const [lost, again, next] = sent;
  expect(again).toBe(lost);
  expect(next).not.toBe(lost);
  full.mockRestore();
  removeDraft(key);
  expect(readDraft(key)).toBeNull();
});

it("When fields were edited after a draft was sent, then only those edits are kept", () => {
  const key = draftKey("ann", "new");
  writeDraft(key, { ...values, title: "A and B" });
  settleDraft(key, values);
  expect(readDraft(key)?.values).toEqual({ title: "A and B" });
});

it.each([
  [new ApiProblem("invalid", 400, "No."), "another key"],
  [new ApiProblem("invalid", 422, "No."), "another key"],
  // From a proxy in front of the server.
  [new ApiProblem("unreadable", 404, "Not Found"), "the same key"],
  [new ApiProblem("too-many-requests", 499, "No."), "another key"],
  [new ApiProblem("key-reused", 422, "No."), "another key"],
  // The server has not checked the key, which may belong to an attempt whose response was lost.
  [new ApiProblem("session-expired", 401, "No."), "the same key"],
  [new ApiProblem("too-slow", 408, "No."), "the same key"],
  [new ApiProblem("too-many-requests", 429, "No."), "the same key"],
  [new ApiProblem("internal", 500, "Oh."), "the same key"],
  [new ApiProblem("unreadable", 200, "What?"), "the same key"],
  [new TypeError("bug"), "the same key"],
])("When sending ends with %s, then the next attempt has %s", async (failure, expected) => {
  const key = draftKey("ann", "new");
  writeDraft(key, values, { version: 3 });
  const sent: string[] = [];
  for (let attempt = 0; attempt < 2; attempt++)
    await sendOnce(key, async (idempotencyKey) => {
      sent.push(idempotencyKey);
      throw failure;
    }).catch((error: unknown) => expect(error).toBe(failure));
  expect(sent[0] === sent[1] ? "the same key" : "another key").toBe(expected);
  // The values are kept in either case.
  expect(readDraft(key)).toEqual({ values, basis: { version: 3 } });
  removeDraft(key);
});

it("When the key is renewed, then the next attempt has another key, and the values are kept", async () => {
  const key = draftKey("ann", "new");
  writeDraft(key, values);
  const sent: string[] = [];
  const lose = async (idempotencyKey: string) => {
    sent.push(idempotencyKey);
    throw offlineProblem();
  };
  await sendOnce(key, lose).catch(() => undefined);
  renewIdempotencyKey(key);
  await sendOnce(key, lose).catch(() => undefined);
  expect(sent[0]).not.toBe(sent[1]);
  expect(readDraft(key)?.values).toEqual(values);
  removeDraft(key);
});

it("When everything typed was sent, or nothing was typed, then nothing is left in storage", () => {
  const key = draftKey("ann", "new");
  writeDraft(key, values);
  expect(localStorage.getItem(key)).toContain('"title":"A"');
  settleDraft(key, values);
  settleDraft(key, {});
  renewIdempotencyKey(key);
  expect(localStorage.length).toBe(0);
});

it("When storage has room again, then the draft is stored there and no longer in memory", () => {
  const key = draftKey("ann", "new");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  writeDraft(key, values);
  full.mockRestore();
  writeDraft(key, { title: "B" });
  localStorage.removeItem(key);
  expect(readDraft(key)).toBeNull();
});

it("When storage is full and an account is deleted, then its drafts in memory are removed too", () => {
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const key = draftKey("ann", "new");
  writeDraft(key, values);
  removeDrafts("ann");
  expect(readDraft(key)).toBeNull();
  full.mockRestore();
});
