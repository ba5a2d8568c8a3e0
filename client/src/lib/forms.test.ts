import { expect, it } from "vitest";
import * as z from "zod/mini";
import { draftKey, readDraft, writeDraft } from "./drafts.ts";
import { formValues, hasFieldErrors, invalidForm, submitForm, toFormError, toNumber } from "./forms.ts";
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

it.each([
  [
    { title: "A", budget: "1.5", note: "B\r\nC", days: "3", due: "now", remote: "on" },
    { title: "A", budget: 1.5, note: "B\nC", days: 3, due: "now", remote: true },
  ],
  // What is empty becomes null, an empty string or is omitted, as its schema allows.
  [
    { title: "A", budget: "1", note: "", days: "", due: "" },
    { title: "A", budget: 1, note: "", days: null, remote: false },
  ],
])(
  "When the form %j is submitted, then its texts are converted to the schema's types",
  async (texts, data) => {
    const result = await submitForm(typed(texts), schema, async (saved) => saved);
    expect(result).toMatchObject({ ok: true, value: data });
    expect(result.ok && result.value).toStrictEqual(data);
  },
);

it.each([
  ["1200", 1200],
  [" 0.5 ", 0.5],
  [".5", 0.5],
  ["$ 1,234,567.50", 1_234_567.5],
  ["1.200,50", Number.NaN],
  ["1,20", Number.NaN],
  ["-5", -5],
  ["1e3", Number.NaN],
  ["0x10", Number.NaN],
  ["3-5", Number.NaN],
  ["9".repeat(400), Number.POSITIVE_INFINITY],
])("When %j is typed as a number, then it is %d", (text, number) => {
  expect(toNumber(text)).toBe(number);
});

it("When fields are invalid, then all are reported together with their first message, and nothing is saved", async () => {
  const result = await submitForm(typed({ title: " ", budget: "much" }), schema, () => {
    throw new Error("saved");
  });
  expect(result).toEqual({
    ok: false,
    message: "Some fields need another look.",
    fieldErrors: { title: "Title is required.", budget: "Enter a number." },
    sessionOver: false,
    stale: false,
  });
  const one = invalidForm([
    { path: ["links", 1], message: "Not a link." },
    { path: ["links"], message: "Too many." },
  ]);
  expect(one).toMatchObject({
    message: "One field needs another look.",
    fieldErrors: { links: "Not a link." },
  });
  expect([hasFieldErrors(one), hasFieldErrors(invalidForm([]))]).toEqual([true, false]);
});

it("When a form starts with stored values, then its fields show them, and are empty without", () => {
  const empty = { title: "", budget: "", note: "", days: "", due: "", remote: "" };
  const stored = { title: "A", budget: 0, days: null, remote: true };
  expect(formValues(schema, stored)).toEqual({ ...empty, title: "A", budget: "0", remote: "on" });
  expect(formValues(schema, { remote: false })).toEqual(empty);
  expect(formValues(schema, { budget: 150.1 }).budget).toBe("150.10");
  expect(formValues(schema, { budget: 150.25 }).budget).toBe("150.25");
});

it("When saving a draft succeeds, then only later edits remain of it; when it fails, then the whole draft remains", async () => {
  const key = draftKey("ann", "new");
  writeDraft(key, { title: "A", budget: "1" });
  const keys: string[] = [];
  const send = (failure?: Error) =>
    submitForm(
      typed({ title: "A", budget: "1" }),
      schema,
      async (_, idempotencyKey) => {
        keys.push(idempotencyKey);
        if (failure) throw failure;
        writeDraft(key, { title: "A and B", budget: "1" });
        return "t1";
      },
      { draft: key },
    );
  expect(await send(offlineProblem())).toMatchObject({ ok: false, code: "offline" });
  expect(readDraft(key)?.values).toEqual({ title: "A", budget: "1" });
  expect(await send()).toMatchObject({ ok: true, value: "t1", sent: { title: "A", budget: "1" } });
  expect(readDraft(key)?.values).toEqual({ title: "A and B" });
  expect(keys[1]).toBe(keys[0]);
});

it("When a form has no draft, then each attempt has a new key, and a feature may map failures to its own errors", async () => {
  const keys: string[] = [];
  const taken = invalidForm([{ path: ["title"], message: "Taken." }]);
  for (let attempt = 0; attempt < 2; attempt++) {
    const save = async (_: unknown, key: string) => {
      keys.push(key);
      throw offlineProblem();
    };
    expect(await submitForm(typed({ title: "A", budget: "1" }), schema, save, { toError: () => taken })).toBe(
      taken,
    );
  }
  expect(keys[1]).not.toBe(keys[0]);
  expect(localStorage.length).toBe(0);
});

it.each([
  [new ApiProblem("session-expired", 401, "No."), { code: "session-expired", sessionOver: true }],
  [new ApiProblem("account-suspended", 403, "No."), { code: "account-suspended", stale: true }],
  [new ApiProblem("task-not-found", 404, "No."), { code: "task-not-found", stale: true }],
  [new ApiProblem("wrong-state", 409, "No."), { code: "wrong-state", stale: true }],
  [new ApiProblem("changed-meanwhile", 412, "No."), { code: "changed-meanwhile", stale: true }],
  [new ApiProblem("key-reused", 422, "No."), { code: "key-reused", stale: true }],
  [
    new ApiProblem("invalid", 422, "No.", { errors: [{ pointer: "#/budget", detail: "Too much." }] }),
    { code: "invalid", fieldErrors: { budget: "Too much." } },
  ],
  [new ApiProblem("unavailable", 503, "No."), { code: "unavailable" }],
  [new Error("bug"), { message: "Something went wrong. Please try again." }],
] as const)("When saving fails with %s, then the form's error says what to do about it", (failure, error) => {
  const common = { ok: false, message: "No.", fieldErrors: {}, sessionOver: false, stale: false };
  expect(toFormError(failure)).toEqual({ ...common, ...error });
});
