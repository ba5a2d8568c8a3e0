import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { authFormError, passwordSchema } from "../../auth/account-fields.ts";
import { useAuth } from "../../auth/session.tsx";
import type { Api } from "../../lib/api.ts";
import { removeDrafts } from "../../lib/drafts.ts";
import { type FormError, toFormError } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { isRejected } from "../../lib/problem.ts";
import { site } from "../../lib/site.ts";
import { DialogButton } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { CANNOT_CONFIRM, CurrentPassword, passwordError } from "./login-settings.tsx";

/** Explains what deleting the account means, with a button that opens the form. */
export function DeleteAccount() {
  return (
    <>
      <div className="quiet space-y-2">
        <p>This cannot be undone. When you delete your account:</p>
        <ul className="list-disc space-y-1 pl-5">
          <li>tasks that you never hired anybody for are deleted, or stay without your name: you choose;</li>
          <li>
            other open and awarded tasks are cancelled, or completed with the milestones that you have
            accepted, and everybody who bid or was hired is notified;
          </li>
          <li>work that was delivered to you can be marked as completed by its freelancer immediately;</li>
          <li>what an operator has decided in a dispute takes effect immediately;</li>
          <li>
            your bids are withdrawn; on awarded tasks they stay without your name. What you delivered is
            deleted, and clients who are still waiting for your work are notified;
          </li>
          <li>
            tasks that you hired somebody for, answered questions and reviews can still be read, without your
            name;
          </li>
          <li>
            your profile, messages, unanswered questions, notifications, saved tasks and searches, settings
            and login are deleted.
          </li>
        </ul>
      </div>
      <DialogButton title="Delete my account?" text="Delete my account" className="btn-outline btn-error">
        <DeleteForm />
      </DialogButton>
    </>
  );
}

const TASK_CHOICES = [
  ["delete", "Delete my tasks that nobody was hired for"],
  [
    "keep",
    "Keep them without my name: everybody can still read their titles, descriptions and answered questions, with whatever these say about me",
  ],
];

const DELETION_WORD = "DELETE";
const WORD_MISSING = `Type the word ${DELETION_WORD}.`;

const googleDeletionSchema = z.object({
  tasks: z.enum(["delete", "keep"]),
  word: z
    .string({ error: WORD_MISSING })
    .check(z.refine((text) => text.trim().toUpperCase() === DELETION_WORD, WORD_MISSING)),
});
const passwordDeletionSchema = z.extend(googleDeletionSchema, { current: passwordSchema });

/** The deletion form: asks for the password, or for Google sign-in, and for a word to type as a safeguard. */
function DeleteForm() {
  const session = useAuth();
  // Of the person who opened it: they are gone before this form is.
  const [method] = useState(session.user?.signInMethod);
  const navigate = useNavigate();
  const isConfirmed = useRef(false);

  /** Proceeds in the order in which a failure does the least harm. After one, all of it can be retried. */
  const deleteAccount = async (
    { tasks, ...data }: z.output<typeof googleDeletionSchema>,
    call: Api["call"],
  ) => {
    isConfirmed.current = false;
    await ("current" in data ? session.confirmPassword(String(data.current)) : session.confirmWithGoogle());
    isConfirmed.current = true;
    await call("DELETE /me", {
      query: { tasks },
      // The next attempt must also delete what was written since.
      isRepeatable: true,
      // Invalidation would refetch data that no longer exists.
      keepsCache: true,
    });
    removeDrafts(session.user?.uid ?? "");
    // A login that is left here is deleted by the server, if it may.
    const isLoginLeft = await session.deleteUser().then(
      () => false,
      () => session.signOut().then(() => true),
    );
    // At once, before the guard asks for a login.
    await navigate(paths.home, { replace: true });
    const text = isLoginLeft
      ? "Your data is deleted. If you can still log in a minute from now, delete your account once more."
      : `Your account is deleted. Thank you for using ${site.brand}.`;
    // A toast stays visible after this page and its dialog are gone.
    notify.success(text, { topic: "session" });
  };
  const toError = (error: unknown): FormError => {
    // With Google there is no field to report an error at.
    if (!isConfirmed.current) return method === "password" ? passwordError(error) : authFormError(error);
    const formError = toFormError(error);
    // Only a refusal says that nothing was done: once begun, a deletion goes on without its request.
    const message = isRejected(error)
      ? `Nothing was lost, but your account could not be deleted. ${formError.message}`
      : `${formError.message} Your data may be deleted already, but your login is not. Confirm once more to finish.`;
    return { ...formError, message };
  };

  if (!method) return <FormAlert>{CANNOT_CONFIRM}</FormAlert>;
  return (
    <SchemaForm
      schema={method === "password" ? passwordDeletionSchema : googleDeletionSchema}
      save={deleteAccount}
      toError={toError}
      name="delete"
      submit="Permanently delete my account"
      busy="Deleting…"
      isDangerous
      inDialog="cancel"
    >
      <p className="quiet text-sm">
        Your open and awarded tasks are cancelled and your bids withdrawn; what you delivered, your messages,
        your profile and your login are deleted. Tasks that you hired somebody for, agreements and reviews
        stay without your name, and the other side keeps invoices as they are. This cannot be undone.
      </p>
      <fieldset className="space-y-2 text-sm">
        <legend className="font-semibold">Tasks that nobody was hired for</legend>
        {TASK_CHOICES.map(([value, text]) => (
          <label key={value} className="flex items-start gap-3">
            <input
              type="radio"
              name="tasks"
              value={value}
              defaultChecked={value === "delete"}
              className="radio mt-0.5 radio-sm radio-primary"
            />
            {text}
          </label>
        ))}
      </fieldset>
      {method === "password" ? (
        <CurrentPassword label="Password" />
      ) : (
        <p className="quiet text-sm">You log in with Google, so Google will ask who you are once more.</p>
      )}
      <Field name="word" label={`Type ${DELETION_WORD} to confirm`} autoComplete="off" required />
    </SchemaForm>
  );
}
