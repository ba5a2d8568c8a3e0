import * as z from "zod/mini";
import { emailSchema, newPasswordSchema, passwordSchema } from "../../auth/account-fields.ts";
import { authFormError } from "../../auth/auth-form-error.ts";
import { failureCode } from "../../auth/failure-text.ts";
import type { AuthFailureCode } from "../../auth/person.ts";
import type { Auth } from "../../auth/session.tsx";
import { type FormError, type FormResult, invalidForm, submitForm } from "../../lib/forms.ts";

const WRONG_PASSWORD = "This is not your current password.";

const passwordFormSchema = z.object({ current: passwordSchema, password: newPasswordSchema });

/** Changes the password; the current one must be correct. */
export function changePassword(session: Auth, form: FormData): Promise<FormResult> {
  return submitForm(
    form,
    passwordFormSchema,
    async ({ current, password }) => {
      await session.confirmPassword(current);
      await session.changePassword(password);
      return {};
    },
    (error) => loginFormError(error, { "weak-password": "password" }),
  );
}

const emailFormSchema = z.object({ email: emailSchema, current: passwordSchema });

/** `sentTo`: the new address. `link`: the confirmation link, on a local installation that sends no email. */
export type EmailResult = FormResult<{ sentTo: string; link: string | undefined }>;

/** Sends a link to the new address, which is changed once the link is opened. The password must be correct. */
export function changeEmail(session: Auth, form: FormData): Promise<EmailResult> {
  return submitForm(
    form,
    emailFormSchema,
    async ({ email, current }) => {
      await session.confirmPassword(current);
      return { sentTo: email, link: await session.changeEmail(email) };
    },
    (error) => loginFormError(error, { "email-in-use": "email", "invalid-email": "email" }),
  );
}

/** Like `authFormError`, but a wrong password is reported at the field `current`. */
export function loginFormError(
  error: unknown,
  fields: Partial<Record<AuthFailureCode, string>> = {},
): FormError {
  if (failureCode(error) === "wrong-credentials")
    return invalidForm([{ path: ["current"], message: WRONG_PASSWORD }]);
  return authFormError(error, fields);
}
