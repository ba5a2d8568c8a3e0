import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { formValues, submitForm } from "./forms.ts";
import { ApiProblem } from "./problem.ts";

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
