import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { draftKey, readDraft, writeDraft } from "./drafts.ts";
import {
  DRAFT_FIELD,
  formErrorOf,
  formValues,
  hasFieldErrors,
  invalidForm,
  isBusy,
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
  it("When a form is submitted, then its texts are converted to the schema's types", async () => {
    const form = typed({ title: "A", budget: "1.5", note: "B\r\nC", days: "3", due: "now", remote: "on" });
    expect(await submitForm(form, schema, save)).toEqual({
      ok: true,
      data: { title: "A", budget: 1.5, note: "B\nC", days: 3, due: "now", remote: true },
    });
  });

  it("When a field is empty, then it becomes null, an empty string or is omitted, as its schema allows", async () => {
    const form = typed({ title: "A", budget: "1", note: "", days: "", due: "" });
    const result = await submitForm(form, schema, save);
    expect(result).toStrictEqual({
      ok: true,
      data: { title: "A", budget: 1, note: "", days: null, remote: false },
    });
  });

  it("When fields are invalid, then all are reported together, and nothing is saved", async () => {
    const result = await submitForm(typed({ title: " ", budget: "much" }), schema, () => {
      throw new Error("saved");
    });
    expect(result).toMatchObject({
      ok: false,
      fieldErrors: { title: "Title is required.", budget: "Enter a number." },
    });
  });

  it("When the API rejects a field, then the message is at that field", async () => {
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

it("When a stored checkbox is off, or there is no stored value, then the field is empty", () => {
  expect(formValues(schema, { remote: false, budget: 0 })).toMatchObject({
    remote: "",
    budget: "0",
    title: "",
  });
});

describe("a form with a draft", () => {
  it("When saving succeeds, then only later edits remain as a draft; when it fails, then the whole draft remains", async () => {
    const key = draftKey("ann", "new");
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

  it("When a form has no draft, then each attempt has a new key, even after a lost response", async () => {
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

  it("When a feature maps failures to its own errors, then these are the result", async () => {
    const custom = invalidForm([{ path: ["title"], message: "Taken." }]);
    const fail = () => Promise.reject(new Error("taken"));
    expect(await submitForm(typed({ title: "A", budget: "1" }), schema, fail, () => custom)).toBe(custom);
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
  ])(
    "When the status is %i, then the error says if the page is stale or the session over",
    (status, expected) => {
      const error = toFormError(new ApiProblem("wrong-state", status, "No."));
      expect(error).toEqual({ ok: false, message: "No.", fieldErrors: {}, code: "wrong-state", ...expected });
    },
  );

  it("When an earlier version may have been saved, then the page's data is stale", () => {
    expect(toFormError(new ApiProblem("key-reused", 422, "Sent."))).toMatchObject({ stale: true });
  });

  it("When the error is not an API problem, then the message is generic", () => {
    expect(toFormError(new Error("bug"))).toEqual({
      ok: false,
      message: "Something went wrong. Please try again.",
      fieldErrors: {},
      sessionOver: false,
      stale: false,
    });
  });

  it("When fields violate the form's schema, then each has its first message", () => {
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

  it("When the next attempt is being submitted, then the previous error is gone", () => {
    const data = invalidForm([]);
    expect(formErrorOf({ state: "idle", data })).toBe(data);
    expect(formErrorOf({ state: "loading", data })).toBe(data);
    expect(formErrorOf({ state: "submitting", data })).toBeUndefined();
    expect(formErrorOf({ state: "idle", data: { ok: true } })).toBeUndefined();
    expect(formErrorOf({ state: "idle", data: undefined })).toBeUndefined();
  });

  it("When the page is still reloading, then the form can be submitted again after an error, but not after a success", () => {
    const data = invalidForm([]);
    expect(isBusy({ state: "submitting", data: undefined })).toBe(true);
    expect(isBusy({ state: "submitting", data })).toBe(true);
    expect(isBusy({ state: "loading", data })).toBe(false);
    expect(isBusy({ state: "loading", data: { ok: true } })).toBe(true);
    expect(isBusy({ state: "idle", data: { ok: true } })).toBe(false);
  });
});
