import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { authFormError, emailSchema, newPasswordSchema, passwordSchema } from "../../auth/account-fields.ts";
import { failureText } from "../../auth/failure-text.ts";
import type { SignInMethod } from "../../auth/person.ts";
import { useAuth } from "../../auth/session.tsx";
import type { Api } from "../../lib/api.ts";
import { removeDrafts } from "../../lib/drafts.ts";
import { type FormError, toFormError } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { isRejected } from "../../lib/problem.ts";
import { site } from "../../lib/site.ts";
import { DialogButton } from "../../ui/dialog-button.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { useOnReturn } from "../../ui/use-on-return.ts";

const passwordFormSchema = z.object({ current: passwordSchema, password: newPasswordSchema });
const emailFormSchema = z.object({ email: emailSchema, current: passwordSchema });

/** The field in which a form asks for the user's password. */
function CurrentPassword({ label = "Current password" }: { label?: string }) {
  return <Field name="current" label={label} type="password" autoComplete="current-password" required />;
}

/** Like {@link authFormError}, with a wrong password at {@link CurrentPassword}. */
const passwordError: typeof authFormError = (error, fields) => {
  const formError = authFormError(error, { ...fields, "wrong-credentials": "current" });
  return formError.fieldErrors["current"]
    ? { ...formError, fieldErrors: { current: "This is not your current password." } }
    : formError;
};

/** The form to change the password; the current one must be correct. */
export function ChangePassword() {
  const session = useAuth();
  const queryClient = useQueryClient();
  const { method, problem } = useSignInMethod();
  if (!method) return <FormAlert takesFocus={false}>{problem}</FormAlert>;
  if (method === "google")
    return <p className="quiet">You log in with Google, so there is no password here.</p>;
  return (
    <SchemaForm
      startsAnew
      schema={passwordFormSchema}
      name="password"
      className="w-full max-w-md"
      save={async ({ current, password }) => {
        await session.confirmPassword(current);
        await session.changePassword(password);
      }}
      toError={(error) => passwordError(error, { "weak-password": "password" })}
      submit="Change password"
      busy="Changing…"
      onSaved={() => {
        // Shows whether this session has survived the change.
        void queryClient.invalidateQueries();
        notify.success("Your password is changed. Other devices have to log in again.", {
          topic: "password",
        });
      }}
    >
      <CurrentPassword />
      <Field
        name="password"
        label="New password"
        type="password"
        hint="At least 6 characters, with uppercase and lowercase letters."
        autoComplete="new-password"
        required
      />
    </SchemaForm>
  );
}

/** The new address, and the confirmation link on a local installation that sends no email. */
type Sent = { sentTo: string; link: string | undefined };

/** The form to change the email address, which changes once the link sent to the new address is opened. */
export function ChangeEmail() {
  const session = useAuth();
  const { method } = useSignInMethod();
  const { user, refreshUser } = session;
  const [sent, setSent] = useState<Sent>();
  // The provider stores addresses in lower case.
  const isChanged = sent !== undefined && user?.email?.toLowerCase() === sent.sentTo.toLowerCase();
  // A session that was ended by the change signs out by itself.
  useOnReturn(sent !== undefined && !isChanged, refreshUser);
  if (method === "google")
    return (
      <p className="quiet text-sm">You log in with Google: the address is that of your Google account.</p>
    );
  if (method !== "password") return null;
  return (
    <details className="w-full">
      <summary className="link w-fit link-primary">Change my email address</summary>
      <div className="mt-4 w-full max-w-md space-y-4">
        <SchemaForm
          schema={emailFormSchema}
          name="email"
          save={async ({ email, current }) => {
            await session.confirmPassword(current);
            return { sentTo: email, link: await session.changeEmail(email) };
          }}
          toError={(error) => passwordError(error, { "email-in-use": "email", "invalid-email": "email" })}
          submit="Send me a link"
          onSubmit={() => setSent(undefined)}
          onSaved={setSent}
        >
          <Field
            name="email"
            label="New email address"
            type="email"
            hint="We send a link to it. Your address changes once you open that."
            autoComplete="email"
            required
          />
          <CurrentPassword />
        </SchemaForm>
        <p role="status" className="text-sm wrap-anywhere empty:hidden">
          {sent && !isChanged && <SentLink {...sent} previous={user?.email} />}
          {isChanged && "Your email address is changed."}
        </p>
      </div>
    </details>
  );
}

function SentLink({ sentTo, link, previous }: Sent & { previous: string | null | undefined }) {
  return (
    <>
      {link ? (
        <>
          This local installation sends no email.{" "}
          <a className="link link-primary" href={link} target="_blank" rel="noreferrer">
            Confirm {sentTo}
          </a>{" "}
        </>
      ) : (
        `Open the link that we sent to ${sentTo}. Check the spam folder, too. `
      )}
      Until then you log in with {previous}. After that you may have to log in again, with the new address.
    </>
  );
}

/** How the user can reauthenticate; `method` is undefined until known, or if there is a `problem`. */
function useSignInMethod(): { method: SignInMethod | undefined; problem: string } {
  const { signInMethods } = useAuth();
  const [method, setMethod] = useState<SignInMethod>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    signInMethods().then(
      ([first]) => {
        setMethod(first);
        if (!first)
          setProblem("This login can be confirmed neither by password nor with Google. Please contact us.");
      },
      (error: unknown) => setProblem(failureText(error)),
    );
  }, [signInMethods]);
  return { method, problem };
}

/** Explains what deleting the account means, with a button that opens the form. */
export function DeleteAccount() {
  // Loaded before the dialog opens, whose first field gets the focus.
  const signIn = useSignInMethod();
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
        {(close) => <DeleteForm {...signIn} onClose={close} />}
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

type DeleteProps = ReturnType<typeof useSignInMethod> & { onClose: () => void };

/** The deletion form: asks for the password, or for Google sign-in, and for a word to type as a safeguard. */
function DeleteForm({ method, problem, onClose }: DeleteProps) {
  const session = useAuth();
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

  if (!method) return <FormAlert>{problem}</FormAlert>;
  return (
    <SchemaForm
      schema={method === "password" ? passwordDeletionSchema : googleDeletionSchema}
      save={deleteAccount}
      toError={toError}
      name="delete"
      submit="Permanently delete my account"
      busy="Deleting…"
      isDangerous
      onCancel={onClose}
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
