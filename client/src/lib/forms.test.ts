import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { openDraft, readDraft, writeDraft } from "./drafts.ts";
import {
  DRAFT_FIELD,
  formErrorOf,
  formValues,
  hasFieldErrors,
  invalidForm,
  isBusy,
  isCheckbox,
  submitForm,
  toFormError,
} from "./forms.ts";
import { ApiProblem, offlineProblem } from "./problem.ts";

const schema = z.object({
  title: z.string({ error: "Title is required." }).check(z.minLength(1, "Title is required.")),
  budget: z.number({ error: "Enter a number." }),
  note: z.optional(z.string()),
  days: z.optional(z.nullable(z.int())),
  due: z.optional(z.string().check(z.minLength(1))),
  remote: z.optional(z.boolean()),
});

const typed = (values: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
};
const save = async (data: z.output<typeof schema>) => ({ data });

describe("submitForm", () => {
  it("When a form is submitted, then its texts are of the schema's types", async () => {
    const form = typed({ title: "A", budget: "1.5", note: "B\r\nC", days: "3", due: "now", remote: "on" });
    expect(await submitForm(form, schema, save)).toEqual({
      ok: true,
      data: { title: "A", budget: 1.5, note: "B\nC", days: 3, due: "now", remote: true },
    });
  });

  it("When a field is empty, then it is the emptiest value that its schema takes, or left out", async () => {
    const form = typed({ title: "A", budget: "1", note: "", days: "", due: "" });
    const result = await submitForm(form, schema, save);
    expect(result).toStrictEqual({
      ok: true,
      data: { title: "A", budget: 1, note: "", days: null, remote: false },
    });
  });

  it("When fields are wrong, then all are named at once, and nothing is saved", async () => {
    const result = await submitForm(typed({ title: " ", budget: "much" }), schema, () => {
      throw new Error("saved");
    });
    expect(result).toMatchObject({
      ok: false,
      fieldErrors: { title: "Title is required.", budget: "Enter a number." },
    });
  });

  it("When the API refuses a field, then the message is at that field", async () => {
    const errors = [{ pointer: "#/budget", detail: "Too much." }];
    const result = await submitForm(typed({ title: "A", budget: "1" }), schema, () => {
      throw new ApiProblem("invalid", 422, "Some fields need another look.", { errors });
    });
    expect(result).toMatchObject({ ok: false, code: "invalid", fieldErrors: { budget: "Too much." } });
  });
});

it("When a form starts with stored values, then its fields show them", () => {
  const stored = { title: "A", budget: 1.5, days: null, remote: true };
  expect(formValues(schema, stored)).toEqual({
    title: "A",
    budget: "1.5",
    note: "",
    days: "",
    due: "",
    remote: "on",
  });
});

it("When a stored checkbox is off, or a list has no value yet, then the field is empty", () => {
  expect(formValues(schema, { remote: false, budget: 0 })).toMatchObject({
    remote: "",
    budget: "0",
    title: "",
  });
});

it("When a field is a checkbox, then the form can tell, also of one that may be left out", () => {
  expect([isCheckbox(schema, "remote"), isCheckbox(schema, "title"), isCheckbox(schema, "days")]).toEqual([
    true,
    false,
    false,
  ]);
});

describe("a form with a draft", () => {
  it("When it is saved, then its draft is gone, and what was typed since stays; when not, then it stays whole", async () => {
    const key = openDraft("ann", "new");
    writeDraft(key, { title: "A", budget: "1" });
    const element = document.createElement("form");
    for (const [name, value] of Object.entries({ title: "A", budget: "1", [DRAFT_FIELD]: key }))
      element.append(Object.assign(document.createElement("input"), { name, value }));
    const form = new FormData(element);
    const keys: string[] = [];
    const send = (outcome?: Error) =>
      submitForm(form, schema, async (_, idempotencyKey) => {
        keys.push(idempotencyKey);
        if (outcome) throw outcome;
        writeDraft(key, { title: "A and B", budget: "1" });
        return { id: "t1" };
      });
    expect(await send(offlineProblem())).toMatchObject({ ok: false, code: "offline" });
    expect(readDraft(key)?.values).toEqual({ title: "A", budget: "1" });
    expect(await send()).toEqual({ ok: true, id: "t1" });
    expect(readDraft(key)?.values).toEqual({ title: "A and B" });
    expect(keys[1]).toBe(keys[0]);
  });

  it("When a form names none, then each try is one of its own, also after a lost response", async () => {
    const keys: string[] = [];
    for (const outcome of [offlineProblem(), offlineProblem(), undefined])
      await submitForm(typed({ title: "A", budget: "1" }), schema, async (_, key) => {
        keys.push(key);
        if (outcome) throw outcome;
        return {};
      });
    expect(new Set(keys).size).toBe(3);
    expect(localStorage.length).toBe(0);
  });

  it("When its feature has words of its own for a failure, then these are the result", async () => {
    const own = invalidForm([{ path: ["title"], message: "Taken." }]);
    const fail = () => Promise.reject(new Error("taken"));
    expect(await submitForm(typed({ title: "A", budget: "1" }), schema, fail, () => own)).toBe(own);
  });
});

describe("the error of a form", () => {
  it.each([
    [401, { sessionOver: true, stale: false }],
    [403, { sessionOver: false, stale: true }],
    [404, { sessionOver: false, stale: true }],
    [409, { sessionOver: false, stale: true }],
    [412, { sessionOver: false, stale: true }],
    [422, { sessionOver: false, stale: false }],
    [503, { sessionOver: false, stale: false }],
  ])("When the API says %i, then the page knows whether to read again or to log in", (status, expected) => {
    const error = toFormError(new ApiProblem("wrong-state", status, "No."));
    expect(error).toEqual({ ok: false, message: "No.", fieldErrors: {}, code: "wrong-state", ...expected });
  });

  it("When an earlier version may have arrived, then the page is read again, to show it", () => {
    expect(toFormError(new ApiProblem("key-reused", 422, "Sent."))).toMatchObject({ stale: true });
  });

  it("When something else went wrong, then nothing is told but that", () => {
    expect(toFormError(new Error("bug"))).toEqual({
      ok: false,
      message: "Something went wrong. Please try again.",
      fieldErrors: {},
      sessionOver: false,
      stale: false,
    });
  });

  it("When fields break the form's own rules, then each has the message to mend first", () => {
    const issues = [
      { path: ["links", 1], message: "Not a link." },
      { path: ["links"], message: "Too many." },
      { path: ["title"], message: "Required." },
    ];
    const error = invalidForm(issues);
    expect(error).toEqual({
      ok: false,
      message: "Some fields need another look.",
      fieldErrors: { links: "Not a link.", title: "Required." },
      sessionOver: false,
      stale: false,
    });
    expect(invalidForm(issues.slice(0, 2)).message).toBe("One field needs another look.");
    expect([hasFieldErrors(error), hasFieldErrors(invalidForm([]))]).toEqual([true, false]);
  });

  it("When the next try is on its way, then the error of the last one is gone", () => {
    const data = invalidForm([]);
    expect(formErrorOf({ state: "idle", data })).toBe(data);
    expect(formErrorOf({ state: "loading", data })).toBe(data);
    expect(formErrorOf({ state: "submitting", data })).toBeUndefined();
    expect(formErrorOf({ state: "idle", data: { ok: true } })).toBeUndefined();
    expect(formErrorOf({ state: "idle", data: undefined })).toBeUndefined();
  });

  it("When an error is shown while the page is still being read, then it can be tried again; after a success not yet", () => {
    const data = invalidForm([]);
    expect(isBusy({ state: "submitting", data: undefined })).toBe(true);
    expect(isBusy({ state: "submitting", data })).toBe(true);
    expect(isBusy({ state: "loading", data })).toBe(false);
    expect(isBusy({ state: "loading", data: { ok: true } })).toBe(true);
    expect(isBusy({ state: "idle", data: { ok: true } })).toBe(false);
  });
});
