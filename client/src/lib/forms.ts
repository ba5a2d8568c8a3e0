import * as z from "zod/mini";
import { newIdempotencyKey } from "./api.ts";
import { sendOnce, settleDraft } from "./drafts.ts";
import { ApiProblem, fieldErrorsByName, isSessionOver, type ProblemCode, problemText } from "./problem.ts";

/** The schema of a form, field by field: the contract's own, or one with only what the form asks for. */
type FormSchema = z.ZodMiniObject;

/** A form's fields as they are typed, by name. A checked checkbox is `on`, an unchecked one empty. */
export type FormValues<S extends FormSchema = FormSchema> = Record<keyof z.output<S> & string, string>;

/** A submit that was not accepted, for the form that holds what was typed. */
export type FormError = {
  ok: false;
  message: string;
  /** Messages by field name. */
  fieldErrors: Record<string, string>;
  sessionOver: boolean;
  /** The server knows of a newer state than this page shows: it should be read again. */
  stale: boolean;
  /** The server's code; absent where it was not asked, or failed in its own way. */
  code?: ProblemCode;
};

/** What a route action returns to its form. */
export type FormResult<T extends object = object> = ({ ok: true } & T) | FormError;

/**
 * Validates a submitted form with its schema, all fields at once, then saves it. Whatever goes wrong is a result for
 * the form to show, never an exception. A draft that the form names is sent with its own key, and forgotten after that.
 * @param toError makes what `save` rejects with into that result.
 */
export async function submitForm<S extends FormSchema, T extends object>(
  form: FormData,
  schema: S,
  save: (data: z.output<S>, idempotencyKey: string) => Promise<T>,
  toError: (error: unknown) => FormError = toFormError,
): Promise<FormResult<T>> {
  const values = readForm(schema, form);
  const parsed = schema.safeParse(toData(schema, values));
  if (!parsed.success) return invalidForm(parsed.error.issues);
  const draft = form.get(DRAFT_FIELD);
  const send = (idempotencyKey: string) => save(parsed.data, idempotencyKey);
  try {
    if (typeof draft !== "string") return { ok: true, ...(await send(newIdempotencyKey())) };
    const saved = await sendOnce(draft, send);
    settleDraft(draft, values);
    return { ok: true, ...saved };
  } catch (error) {
    return toError(error);
  }
}

/** The hidden field that names a form's draft. */
export const DRAFT_FIELD = "draft";

/** The fields of the schema as they stand in a form. */
export function readForm<S extends FormSchema>(schema: S, form: FormData): FormValues<S> {
  // Browsers submit line breaks as CRLF; the product keeps LF.
  return mapFields(schema, (name) => String(form.get(name) ?? "").replaceAll("\r\n", "\n"));
}

/** What a form starts with: stored values as its fields show them, and nothing in the others. */
export function formValues<S extends FormSchema>(
  schema: S,
  stored: Partial<Record<keyof z.output<S>, unknown>>,
): FormValues<S> {
  return mapFields(schema, (name) => {
    const value = stored[name] ?? "";
    return typeof value === "boolean" ? (value ? "on" : "") : String(value);
  });
}

/** What was typed as the schema's types. An empty field is the emptiest value that its schema takes, or left out. */
export function toData<S extends FormSchema>(schema: S, values: FormValues<S>): Record<string, unknown> {
  const data = mapFields(schema, (name, field) => {
    const type = typeOf(field);
    const text = values[name];
    if (type === "boolean") return text === "on";
    if (text.trim() !== "") return type === "number" ? Number(text) : text;
    return [null, ""].find((empty) => z.safeParse(field, empty).success);
  });
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
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

/** Is this field of the schema a checkbox? */
export function isCheckbox<S extends FormSchema>({ shape }: S, name: keyof z.output<S> & string): boolean {
  return typeOf(shape[name] as z.core.$ZodType) === "boolean";
}

function typeOf(field: z.core.$ZodType): string {
  const { def } = (field as z.core.$ZodTypes)._zod;
  return "innerType" in def ? typeOf(def.innerType) : def.type;
}

/** Makes what a call of the API rejected with into the result of a route action. */
export function toFormError(error: unknown): FormError {
  const known = error instanceof ApiProblem;
  return {
    ok: false,
    message: problemText(error),
    fieldErrors: known ? fieldErrorsByName(error.fieldErrors) : {},
    sessionOver: isSessionOver(error),
    stale: known && ([403, 404, 409, 412].includes(error.status) || error.code === "key-reused"),
    ...(known && { code: error.code }),
  };
}

/** Is the error about fields that can be corrected? */
export function hasFieldErrors({ fieldErrors }: FormError): boolean {
  return Object.keys(fieldErrors).length > 0;
}

/** The error that a fetcher's form shows: it is gone as soon as the next try is on its way. */
export function formErrorOf<R extends { ok: boolean }>({
  state,
  data,
}: {
  state: string;
  data: R | undefined;
}): Extract<R, { ok: false }> | undefined {
  return state !== "submitting" && data?.ok === false ? (data as Extract<R, { ok: false }>) : undefined;
}

/**
 * Is a fetcher at something that must not be begun twice? While it shows an error it is not, although the page may still be
 * read again: who is told to try again can.
 */
export function isBusy<R extends { ok: boolean }>(fetcher: { state: string; data: R | undefined }): boolean {
  return fetcher.state !== "idle" && !formErrorOf(fetcher);
}

/** What a form says where its fields say the rest. */
export function fieldsText(fieldErrors: FormError["fieldErrors"]): string {
  return Object.keys(fieldErrors).length === 1
    ? "One field needs another look."
    : "Some fields need another look.";
}

/** The error of a form that breaks its own rules; `issues` are those of its schema. */
export function invalidForm(issues: { path: PropertyKey[]; message: string }[]): FormError {
  const named = issues.map((issue) => [String(issue.path[0]), issue.message] as const);
  // The first message of a field is the one to mend first.
  const fieldErrors = Object.fromEntries(named.reverse());
  return {
    ok: false,
    message: fieldsText(fieldErrors),
    fieldErrors,
    sessionOver: false,
    stale: false,
  };
}
