import { type FormError, invalidForm, toFormError } from "../lib/forms.ts";
import type { AuthFailureCode } from "./auth-gateway.ts";
import { failureCode, failureText } from "./failure-text.ts";

/**
 * A failed call of the identity provider as the result of a form.
 * @param fields by code: which field is wrong.
 */
export function authFormError(
  error: unknown,
  fields: Partial<Record<AuthFailureCode, string>> = {},
): FormError {
  const message = failureText(error);
  const field = fields[failureCode(error)];
  return field ? invalidForm([{ path: [field], message }]) : { ...toFormError(error), message };
}
