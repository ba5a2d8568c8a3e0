import { expect, it } from "vitest";
import { draftKeyOf, readDraft, removeDraft, writeDraft } from "./drafts.ts";

const values = { title: "A", category: "", description: "B\nC", deadline: "", budget: "1.5" };

it("When a draft is kept, then only the same person finds it in the same form", () => {
  writeDraft(draftKeyOf("ann", "new"), values);
  expect(readDraft(draftKeyOf("ann", "new"))).toEqual(values);
  expect(readDraft(draftKeyOf("bob", "new"))).toBeNull();
  expect(readDraft(draftKeyOf("ann", "t1"))).toBeNull();
  removeDraft(draftKeyOf("ann", "new"));
  expect(readDraft(draftKeyOf("ann", "new"))).toBeNull();
});

it.each(["not json", "7", "null", '{"title":{"$ne":1}}', "[]"])(
  "When the storage holds %s, then there is no draft",
  (text) => {
    localStorage.setItem("k", text);
    expect(readDraft("k")).toBeNull();
  },
);
