import { expect, it } from "vitest";
import { draftKey, readDraft, removeDraft, writeDraft } from "./task-draft.ts";

const values = { title: "A", category: "", description: "B\nC", deadline: "", budget: "1.5" };

it("When a draft is kept, then only the same person finds it in the same form", () => {
  writeDraft(draftKey("ann", undefined), values);
  expect(readDraft(draftKey("ann", undefined))).toEqual(values);
  expect(readDraft(draftKey("bob", undefined))).toBeNull();
  expect(readDraft(draftKey("ann", "t1"))).toBeNull();
  removeDraft(draftKey("ann", undefined));
  expect(readDraft(draftKey("ann", undefined))).toBeNull();
});

it.each(["not json", "7", "null", '{"title":{"$ne":1}}', "[]"])(
  "When the storage holds %s, then there is no draft",
  (text) => {
    localStorage.setItem("k", text);
    expect(readDraft("k")).toBeNull();
  },
);
