import { type ActionFunctionArgs, replace } from "react-router-dom";
import * as z from "zod/mini";
import { passwordSchema } from "../../auth/account-fields.ts";
import { authFormError } from "../../auth/auth-form-error.ts";
import { sessionOf } from "../../auth/session.tsx";
import { apiOf } from "../../lib/api-context.tsx";
import { removeDrafts } from "../../lib/drafts.ts";
import { type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { isRejected } from "../../lib/problem.ts";
import { site } from "../../lib/site.ts";
import { notify } from "../../ui/notify.tsx";
import { changeEmail, changePassword, loginFormError } from "./login-data.ts";
import { submitProfile } from "./profile-data.ts";

/** Handles the page's forms by their `intent`. */
export async function action(args: ActionFunctionArgs): Promise<FormResult | Response> {
  const form = await args.request.formData();
  switch (form.get("intent")) {
    case "profile":
      return submitProfile(args, form);
    case "email":
      return changeEmail(args, form);
    case "password":
      return changePassword(args, form);
    case "delete":
      return deleteAccount(args, form);
    default:
      return saveEmailNotices(args, form);
  }
}

async function saveEmailNotices(args: ActionFunctionArgs, form: FormData): Promise<FormResult> {
  try {
    const body = { emailNotices: form.get("emailNotices") === "on" };
    await apiOf(args).call("PATCH /me", { body, isRepeatable: true });
    return { ok: true };
  } catch (error) {
    return toFormError(error);
  }
}

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
 * login, redirect to Home. After a failure all of it can be retried.
 */
async function deleteAccount(args: ActionFunctionArgs, form: FormData): Promise<FormResult | Response> {
  const session = sessionOf(args);
  let isConfirmed = false;
  const result = await submitForm(
    form,
    form.get("method") === "password" ? passwordDeletionSchema : googleDeletionSchema,
    async (data) => {
      await ("current" in data ? session.confirmPassword(String(data.current)) : session.confirmWithGoogle());
      isConfirmed = true;
      await deleteData(args, form.get("tasks") === "keep" ? "keep" : "delete");
      return {};
    },
    (error) => {
      // With Google there is no field to report an error at.
      if (!isConfirmed)
        return form.get("method") === "password" ? loginFormError(error) : authFormError(error);
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
  const text = isLoginLeft
    ? "Your data is deleted. If you can still log in a minute from now, delete your account once more."
    : `Your account is deleted. Thank you for using ${site.brand}.`;
  // A toast stays visible after this page and its dialog are gone.
  notify.success(text, { topic: "session" });
  return replace(paths.home);
}

/** Deletes all of the user's data. The API requires a sign-in within the last five minutes. */
async function deleteData(args: ActionFunctionArgs, tasks: "delete" | "keep"): Promise<void> {
  const user = await sessionOf(args).ready();
  await apiOf(args).call("DELETE /me", {
    query: { tasks },
    // The next attempt must also delete what was written since.
    isRepeatable: true,
    // Invalidation would refetch data that no longer exists.
    keepsCache: true,
  });
  removeDrafts(user?.uid ?? "");
}
