import { type FormError, invalidForm, toFormError } from "../lib/forms.ts";
import { ApiProblem } from "../lib/problem.ts";
import { failureCode, failureText } from "./failure-text.ts";
import type { AuthFailureCode } from "./person.ts";

/**
 * Converts a failed call to the identity provider, or to the API, into a form error.
 * @param fields maps failure codes to the field at which to show the message.
 */
export function authFormError(
  error: unknown,
  fields: Partial<Record<AuthFailureCode, string>> = {},
): FormError {
  if (error instanceof ApiProblem) return toFormError(error);
  const message = failureText(error);
  const field = fields[failureCode(error)];
  return field ? invalidForm([{ path: [field], message }]) : { ...toFormError(error), message };
}
