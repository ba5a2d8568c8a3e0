import * as z from "zod/mini";
import { passwordSchema } from "../../auth/account-fields.ts";
import { authFormError } from "../../auth/auth-form-error.ts";
import type { SignInMethod } from "../../auth/person.ts";
import type { Auth } from "../../auth/session.tsx";
import type { Api } from "../../lib/api.ts";
import { removeDrafts } from "../../lib/drafts.ts";
import { type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { isRejected } from "../../lib/problem.ts";
import { site } from "../../lib/site.ts";
import { notify } from "../../ui/notify.tsx";
import { loginFormError } from "./login-data.ts";

export const DELETION_WORD = "DELETE";
const WORD_MISSING = `Type the word ${DELETION_WORD}.`;

const googleDeletionSchema = z.object({
  word: z
    .string({ error: WORD_MISSING })
    .check(z.refine((text) => text.trim().toUpperCase() === DELETION_WORD, WORD_MISSING)),
});
const passwordDeletionSchema = z.extend(googleDeletionSchema, {
  current: passwordSchema,
});

/**
 * Deletes the account in the order in which a failure does the least harm: reauthenticate, delete the data, delete the
 * login, leave the page. After a failure all of it can be retried.
 * @param leave goes to a page that needs no login.
 */
export async function deleteAccount(
  { session, api }: { session: Auth; api: Api },
  form: FormData,
  method: SignInMethod,
  leave: () => Promise<void>,
): Promise<FormResult> {
  let isConfirmed = false;
  const result = await submitForm(
    form,
    method === "password" ? passwordDeletionSchema : googleDeletionSchema,
    async (data) => {
      await ("current" in data ? session.confirmPassword(String(data.current)) : session.confirmWithGoogle());
      isConfirmed = true;
      await api.call("DELETE /me", {
        query: { tasks: form.get("tasks") === "keep" ? "keep" : "delete" },
        // The next attempt must also delete what was written since.
        isRepeatable: true,
        // Invalidation would refetch data that no longer exists.
        keepsCache: true,
      });
      removeDrafts(session.user?.uid ?? "");
      return {};
    },
    (error) => {
      // With Google there is no field to report an error at.
      if (!isConfirmed) return method === "password" ? loginFormError(error) : authFormError(error);
      const formError = toFormError(error);
      return {
        ...formError,
        // Only a refusal says that nothing was done: once begun, a deletion goes on without its request.
        message: isRejected(error)
          ? `Nothing was lost, but your account could not be deleted. ${formError.message}`
          : `${formError.message} Your data may be deleted already, but your login is not. Confirm once more to finish.`,
      };
    },
  );
  if (!result.ok) return result;
  // A login that is left here is deleted by the server, if it may.
  const isLoginLeft = await session.deleteUser().then(
    () => false,
    () => session.signOut().then(() => true),
  );
  // At once, before the guard asks for a login.
  await leave();
  const text = isLoginLeft
    ? "Your data is deleted. If you can still log in a minute from now, delete your account once more."
    : `Your account is deleted. Thank you for using ${site.brand}.`;
  // A toast stays visible after this page and its dialog are gone.
  notify.success(text, { topic: "session" });
  return result;
}
