import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { authFormError, emailSchema, newPasswordSchema, passwordSchema } from "../../auth/account-fields.ts";
import { useAuth } from "../../auth/session.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { useOnReturn } from "../../ui/use-on-return.ts";

const passwordFormSchema = z.object({ current: passwordSchema, password: newPasswordSchema });
const emailFormSchema = z.object({ email: emailSchema, current: passwordSchema });

/** The field in which a form asks for the user's password. */
export function CurrentPassword({ label = "Current password" }: { label?: string }) {
  return <Field name="current" label={label} type="password" autoComplete="current-password" required />;
}

/** Like {@link authFormError}, with a wrong password at {@link CurrentPassword}. */
export const passwordError: typeof authFormError = (error, fields) => {
  const formError = authFormError(error, { ...fields, "wrong-credentials": "current" });
  return formError.fieldErrors["current"]
    ? { ...formError, fieldErrors: { current: "This is not your current password." } }
    : formError;
};

/** The form to change the password; the current one must be correct. */
export function ChangePassword() {
  const session = useAuth();
  const queryClient = useQueryClient();
  const { user } = session;
  if (!user) return null;
  if (!user.signInMethod) return <FormAlert takesFocus={false}>{CANNOT_CONFIRM}</FormAlert>;
  if (user.signInMethod === "google")
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
      success="Your password is changed. Other devices have to log in again."
      // Shows whether this session has survived the change.
      onSaved={() => void queryClient.invalidateQueries()}
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
  const { user, refreshUser } = session;
  const [sent, setSent] = useState<Sent>();
  // The provider stores addresses in lower case.
  const isChanged = sent !== undefined && user?.email?.toLowerCase() === sent.sentTo.toLowerCase();
  // A session that was ended by the change signs out by itself.
  useOnReturn(sent !== undefined && !isChanged, refreshUser);
  if (user?.signInMethod === "google")
    return (
      <p className="quiet text-sm">You log in with Google: the address is that of your Google account.</p>
    );
  if (user?.signInMethod !== "password") return null;
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
        <p role="status" className="text-sm wrap-anywhere empty:absolute">
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

/** What somebody reads who can be asked neither for a password nor by Google. */
export const CANNOT_CONFIRM =
  "This login can be confirmed neither by password nor with Google. Please contact us.";
