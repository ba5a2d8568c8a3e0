import { expect, test } from "vitest";
import { TypedTexts } from "./typed-texts.ts";

const PAGE = "/dash/addtask";

/** A page whose fields have these values. */
function fields(work: Record<string, string>, more: { refused?: string[]; drafts?: string } = {}) {
  return { address: PAGE, work, refused: [], drafts: "", ...more };
}

/** Texts of a tab in which a title was typed. */
function typedTitle(): TypedTexts {
  const typed = new TypedTexts();
  typed.note(PAGE, "title", "A logo\nin red");
  return typed;
}

test("When a typed text is in its field or, if that is not visible, in a draft, then it is not lost", () => {
  const typed = typedTitle();
  expect(typed.check(fields({ title: "A logo\nin red" }))).toEqual([]);
  const drafts = JSON.stringify({ values: { title: "A logo\nin red" } });
  expect(typed.check(fields({}, { drafts }))).toEqual([]);
  expect(typed.notInDrafts(`${PAGE}?from=here`, drafts)).toEqual([]);
});

test("When a field is empty or gone, then its text is lost, unless the form was submitted or discarded", () => {
  expect(typedTitle().check(fields({ title: "" }))).toHaveLength(1);
  expect(typedTitle().check(fields({}))).toHaveLength(1);
  expect(typedTitle().notInDrafts(PAGE, "")).toHaveLength(1);
  const typed = typedTitle();
  expect(typed.check(fields({ title: "" }), { mayDropTyped: true })).toEqual([]);
  expect(typed.check(fields({ title: "" }))).toEqual([]);
});

test("When a form is submitted and refused, then its texts must stay", () => {
  expect(
    typedTitle().check(fields({ title: "" }, { refused: ["title"] }), { mayDropTyped: true }),
  ).toHaveLength(1);
});

test("When another form differs only in the task it copies, then its fields are not the same", () => {
  const typed = typedTitle();
  expect(typed.check({ ...fields({ title: "" }), address: `${PAGE}?copy=1` })).toEqual([]);
});
