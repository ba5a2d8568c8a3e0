import { deleteResponseSchema, meSchema } from "@tasklane/server/contract";
import { type ActionFunctionArgs, replace } from "react-router-dom";
import * as z from "zod/mini";
import { passwordSchema } from "../../auth/account-fields.ts";
import { authFormError } from "../../auth/auth-form-error.ts";
import { failureText } from "../../auth/failure-text.ts";
import { sessionOf } from "../../auth/session.tsx";
import { apiOf } from "../../lib/api-context.tsx";
import { removeDraftsOf, removeTabDrafts } from "../../lib/drafts.ts";
import { type FormError, type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { isRejected, problemText } from "../../lib/problem.ts";
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
    const options = { body, isRepeatable: true, schema: meSchema, auth: "required" } as const;
    await apiOf(args).call("/me", { method: "PATCH", ...options });
    return { ok: true };
  } catch (error) {
    return toFormError(error);
  }
}

/** `isLoginLeft`: the data is already deleted, but the login could not be. */
export type DeletionResult = { isLoginLeft?: boolean } & (FormError | { ok: true });

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
async function deleteAccount(args: ActionFunctionArgs, form: FormData): Promise<DeletionResult | Response> {
  const session = sessionOf(args);
  let isLoginLeft = form.get("isLoginLeft") !== null;
  let step: "confirm" | "data" | "login" = "confirm";
  const result = await submitForm(
    form,
    form.get("method") === "password" ? passwordDeletionSchema : googleDeletionSchema,
    async (data) => {
      await ("current" in data ? session.confirmPassword(String(data.current)) : session.confirmWithGoogle());
      step = "data";
      // Even if the data is gone: another tab may have written with the session that this confirmation began.
      await deleteData(args);
      isLoginLeft = true;
      step = "login";
      await session.deleteUser();
      return {};
    },
    (error) => {
      // With Google there is no field to report an error at.
      if (step === "confirm")
        return form.get("method") === "password" ? loginFormError(error) : authFormError(error);
      if (step === "data" && !isLoginLeft) {
        const formError = toFormError(error);
        return {
          ...formError,
          // Only a refusal says that nothing was done: once begun, a deletion goes on without its request.
          message: isRejected(error)
            ? `Nothing was lost, but your account could not be deleted. ${formError.message}`
            : `${formError.message} Your data may be deleted already, but your login is not. Confirm once more to finish.`,
        };
      }
      return {
        ...authFormError(error),
        message: `Your data is deleted, but your login is not yet. ${step === "data" ? problemText(error) : failureText(error)} Confirm once more to delete it too.`,
      };
    },
  );
  if (!result.ok) return { ...result, isLoginLeft };
  // A toast stays visible after this page and its dialog are gone.
  notify.success(`Your account is deleted. Thank you for using ${site.brand}.`, { topic: "session" });
  return replace(paths.home);
}

/** Deletes all of the user's data. The API requires a sign-in within the last five minutes. */
async function deleteData(args: ActionFunctionArgs): Promise<void> {
  const user = await sessionOf(args).ready();
  await apiOf(args).call("/me", {
    method: "DELETE",
    // The next attempt must also delete what was written since.
    isRepeatable: true,
    schema: deleteResponseSchema,
    auth: "required",
    // Invalidation would refetch data that no longer exists.
    keepsCache: true,
  });
  if (user) removeDraftsOf(user.uid);
  removeTabDrafts();
}
