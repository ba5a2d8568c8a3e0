import * as z from "zod/mini";
import { newIdempotencyKey } from "./api.ts";
import { sendOnce, settleDraft } from "./drafts.ts";
import {
  ApiProblem,
  fieldErrorsByName,
  isOutdated,
  isSessionOver,
  type ProblemCode,
  problemText,
} from "./problem.ts";

/** The schema of a form: one from the contract, or a subset with the form's fields. */
type FormSchema = z.ZodMiniObject;

/** A form's raw text values by field name. A checked checkbox is `on`, an unchecked one empty. */
export type FormValues<S extends FormSchema = FormSchema> = Record<keyof z.output<S> & string, string>;

/** The error of a failed submission. */
export type FormError = {
  ok: false;
  message: string;
  /** Messages by field name. */
  fieldErrors: Record<string, string>;
  sessionOver: boolean;
  /** The server's state is newer than what the page shows, which should be loaded again. */
  stale: boolean;
  /** The problem's code; absent for client-side validation and unexpected errors. */
  code?: ProblemCode;
};

/** The result of a submission. */
export type FormResult<T = unknown> = { ok: true; value: T } | FormError;

type Options = {
  /** The key of the form's draft: its idempotency key is sent, and it is removed after the save. */
  draft?: string | undefined;
  /** Converts the error that `save` rejects with. */
  toError?: ((error: unknown) => FormError) | undefined;
};

/**
 * Validates all fields of a submitted form with its schema, then saves it. Failures are returned for the form to show,
 * never thrown. The result has the values that were sent.
 */
export async function submitForm<S extends FormSchema, T>(
  form: FormData,
  schema: S,
  save: (data: z.output<S>, idempotencyKey: string, sent: FormValues<S>) => Promise<T>,
  { draft, toError = toFormError }: Options = {},
): Promise<(FormResult<T> & { ok: true; sent: FormValues<S> }) | FormError> {
  const sent = readForm(schema, form);
  const parsed = schema.safeParse(toData(schema, sent));
  if (!parsed.success) return invalidForm(parsed.error.issues);
  const send = (idempotencyKey: string) => save(parsed.data, idempotencyKey, sent);
  try {
    const value = await (draft ? sendOnce(draft, send) : send(newIdempotencyKey()));
    if (draft) settleDraft(draft, sent);
    return { ok: true, value, sent };
  } catch (error) {
    return toError(error);
  }
}

/** The raw values of the schema's fields in a submitted form. */
export function readForm<S extends FormSchema>(schema: S, form: FormData): FormValues<S> {
  // Browsers submit line breaks as CRLF; we store LF.
  return mapFields(schema, (name) => String(form.get(name) ?? "").replaceAll("\r\n", "\n"));
}

/** A form's initial values: stored values as text, lists with a line per item, other fields empty. */
export function formValues<S extends FormSchema>(
  schema: S,
  stored: Partial<Record<keyof z.output<S>, unknown>>,
): FormValues<S> {
  return mapFields(schema, (name) => {
    const value = stored[name] ?? "";
    if (Array.isArray(value)) return value.join("\n");
    if (typeof value === "number") return numberText(value);
    return typeof value === "boolean" ? (value ? "on" : "") : String(value);
  });
}

/** A number as it is typed: `1200`, and `19.50` rather than `19.5`, because nearly all of them are prices. */
export function numberText(number: number): string {
  return String(number).replace(/\.\d$/, "$&0");
}

/** Converts raw values to the schema's types. An empty field becomes null or "" as the schema allows, or is omitted. */
export function toData<S extends FormSchema>(schema: S, values: FormValues<S>): Record<string, unknown> {
  const data = mapFields(schema, (name, field) => {
    const type = typeOf(field);
    const text = values[name];
    if (type === "boolean") return text === "on";
    if (type === "array") return text.split("\n").filter((item) => item.trim() !== "");
    if (text.trim() !== "") return type === "number" ? toNumber(text) : text;
    return [null, ""].find((empty) => z.safeParse(field, empty).success);
  });
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

/** Reads `1200.5`, and `$1,200.50` as people paste it; NaN for anything else, such as `1.200,50`. */
export function toNumber(text: string): number {
  const [, digits] = /^\$?\s*(-?\d+(?:\.\d*)?|\.\d+|\d{1,3}(?:,\d{3})+(?:\.\d*)?)$/.exec(text.trim()) ?? [];
  return Number(digits?.replaceAll(",", "") ?? Number.NaN);
}

function mapFields<S extends FormSchema, T>(
  { shape }: S,
  convert: (name: keyof z.output<S> & string, field: z.core.$ZodType) => T,
): Record<keyof z.output<S> & string, T> {
  const entries = Object.entries(shape).map(([name, field]) => [
    name,
    convert(name as keyof z.output<S> & string, field),
  ]);
  return Object.fromEntries(entries);
}

function typeOf(field: z.core.$ZodType): string {
  const { def } = (field as z.core.$ZodTypes)._zod;
  return "innerType" in def ? typeOf(def.innerType) : def.type;
}

/** Converts the error of an API call into the result of a submission. */
export function toFormError(error: unknown): FormError {
  const isProblem = error instanceof ApiProblem;
  return {
    ok: false,
    message: problemText(error),
    fieldErrors: isProblem ? fieldErrorsByName(error.fieldErrors) : {},
    sessionOver: isSessionOver(error),
    stale: isOutdated(error),
    ...(isProblem && { code: error.code }),
  };
}

/** Whether the error is about fields that can be corrected. */
export function hasFieldErrors({ fieldErrors }: FormError): boolean {
  return Object.keys(fieldErrors).length > 0;
}

/** A form's message when its fields show the details. */
export function fieldErrorSummary(fieldErrors: FormError["fieldErrors"]): string {
  return Object.keys(fieldErrors).length === 1
    ? "One field needs another look."
    : "Some fields need another look.";
}

/** The field's name, and in the rows of a list, such as milestones, `name-2` in the second one. */
function nameOfField([field, at, inRow]: PropertyKey[]): string {
  return inRow === undefined ? String(field) : `${String(inRow)}-${Number(at) + 1}`;
}

/** The error of a form that violates its schema, from the schema's `issues`. */
export function invalidForm(issues: { path: PropertyKey[]; message: string }[]): FormError {
  const entries = issues.map(({ path, message }) => [nameOfField(path), message] as const);
  // Reversed, so that the first message of each field wins.
  const fieldErrors = Object.fromEntries(entries.reverse());
  return {
    ok: false,
    message: fieldErrorSummary(fieldErrors),
    fieldErrors,
    sessionOver: false,
    stale: false,
  };
}
