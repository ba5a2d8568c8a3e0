import { expect, test } from "vitest";
import { Typed } from "./typed.ts";

const PAGE = "/dash/addtask";

/** The page with what its fields hold. */
function fields(work: Record<string, string>, more: { refused?: string[]; drafts?: string } = {}) {
  return { address: PAGE, work, refused: [], drafts: "", ...more };
}

/** A tab in which a title was typed. */
function aTab(): Typed {
  const typed = new Typed();
  typed.note(PAGE, "title", "A logo\nin red");
  return typed;
}

test("When what was typed is in its field or, out of sight, in a draft, then nothing is lost", () => {
  const typed = aTab();
  expect(typed.check(fields({ title: "A logo\nin red" }))).toEqual([]);
  const drafts = JSON.stringify({ values: { title: "A logo\nin red" } });
  expect(typed.check(fields({}, { drafts }))).toEqual([]);
  expect(typed.checkLeft(`${PAGE}?from=here`, drafts)).toEqual([]);
});

test("When a field is empty or gone, then its text is lost, until the form was sent or discarded", () => {
  expect(aTab().check(fields({ title: "" }))).toHaveLength(1);
  expect(aTab().check(fields({}))).toHaveLength(1);
  expect(aTab().checkLeft(PAGE, "")).toHaveLength(1);
  const typed = aTab();
  expect(typed.check(fields({ title: "" }), { released: true })).toEqual([]);
  expect(typed.check(fields({ title: "" }))).toEqual([]);
});

test("When a form is sent and refused, then its texts have to stay", () => {
  expect(aTab().check(fields({ title: "" }, { refused: ["title"] }), { released: true })).toHaveLength(1);
});

test("When another form has the same address but for what it copies, then its fields are others", () => {
  const typed = aTab();
  expect(typed.check({ ...fields({ title: "" }), address: `${PAGE}?copy=1` })).toEqual([]);
});
