import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { failureText } from "../../auth/failure-text.ts";
import type { SignInMethod } from "../../auth/person.ts";
import { useAuth } from "../../auth/session.tsx";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.tsx";
import { useOnReturn } from "../../ui/use-on-return.ts";
import { changeEmail, changePassword } from "./login-data.ts";

/** The form to change the password. */
export function ChangePassword() {
  const session = useAuth();
  const queryClient = useQueryClient();
  const change = useSubmission((form: FormData) => changePassword(session, form));
  const form = useRef<HTMLFormElement>(null);
  const { method, problem } = useSignInMethod();
  if (!method) return <FormAlert takesFocus={false}>{problem}</FormAlert>;
  if (method === "google")
    return <p className="quiet">You log in with Google, so there is no password here.</p>;
  return (
    <ActionForm
      ref={form}
      submission={change}
      name="password"
      className="w-full max-w-md"
      submit="Change password"
      busy="Changing…"
      onResult={(result) => {
        if (!result.ok) return;
        // Shows whether this session has survived the change.
        void queryClient.invalidateQueries();
        form.current?.reset();
        notify.success("Your password is changed. Other devices have to log in again.", {
          topic: "password",
        });
      }}
    >
      <Field
        name="current"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
      />
      <Field
        name="password"
        label="New password"
        type="password"
        hint="At least 6 characters, with uppercase and lowercase letters."
        autoComplete="new-password"
        required
      />
    </ActionForm>
  );
}

/** The form to change the email address, which changes once the link sent to the new address is opened. */
export function ChangeEmail() {
  const session = useAuth();
  const change = useSubmission((form: FormData) => changeEmail(session, form));
  const { method } = useSignInMethod();
  const { user, refreshUser } = session;
  const result = change.data?.ok && change.state === "idle" ? change.data : undefined;
  // The provider stores addresses in lower case.
  const isChanged = result !== undefined && user?.email?.toLowerCase() === result.sentTo.toLowerCase();
  // A session that was ended by the change signs out by itself.
  useOnReturn(result !== undefined && !isChanged, refreshUser);
  if (method === "google")
    return (
      <p className="quiet text-sm">You log in with Google: the address is that of your Google account.</p>
    );
  if (method !== "password") return null;
  return (
    <details className="w-full">
      <summary className="link w-fit link-primary">Change my email address</summary>
      <div className="mt-4 w-full max-w-md space-y-4">
        <ActionForm submission={change} name="email" submit="Send me a link" busy="Sending…">
          <Field
            name="email"
            label="New email address"
            type="email"
            hint="We send a link to it. Your address changes once you open that."
            autoComplete="email"
            required
          />
          <Field
            name="current"
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
          />
        </ActionForm>
        <p role="status" className="text-sm wrap-anywhere empty:hidden">
          {result && !isChanged && <Sent {...result} previous={user?.email} />}
          {isChanged && "Your email address is changed."}
        </p>
      </div>
    </details>
  );
}

type SentProps = { sentTo: string; link: string | undefined; previous: string | null | undefined };

function Sent({ sentTo, link, previous }: SentProps) {
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
export function useSignInMethod(): { method: SignInMethod | undefined; problem: string } {
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
