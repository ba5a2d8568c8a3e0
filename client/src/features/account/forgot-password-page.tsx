import { type FormEvent, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { failureCode, failureText } from "../../auth/failure-text.ts";
import { firebaseSettings } from "../../lib/env.ts";
import { paths } from "../../lib/paths.ts";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { AuthCard } from "./auth-card.tsx";

/** Asks Firebase to send its reset mail. The answer is the same whether or not there is such an account. */
export function Component() {
  const { sendPasswordReset } = useAuth();
  // The page that login leads back to.
  const { search } = useLocation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const [sentTo, setSentTo] = useState("");

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = String(new FormData(event.currentTarget).get("email")).trim();
    setBusy(true);
    setFailure("");
    try {
      await sendPasswordReset(email);
      setSentTo(email);
    } catch (error) {
      if (failureCode(error) === "wrong-credentials") setSentTo(email);
      else setFailure(failureText(error));
    }
    setBusy(false);
  };

  return (
    <AuthCard title="Reset your password" intro="We send you a link to choose a new one.">
      <PageMeta title="Reset password" />
      <form onSubmit={submit} className="grid grid-cols-1 gap-5">
        <Field name="email" label="Email">
          {(control) => (
            <input {...control} type="email" autoComplete="email" required className="input w-full" />
          )}
        </Field>
        <FormAlert>{failure}</FormAlert>
        <SubmitButton busy={busy} busyLabel="Sending…">
          Send reset link
        </SubmitButton>
      </form>
      <div role="status" className="space-y-2 text-sm">
        {sentTo && (
          <p>
            If there is an account for <strong>{sentTo}</strong>, a link is on its way. Look into the spam
            folder, too.
          </p>
        )}
        {sentTo && !firebaseSettings() && (
          <p className="quiet">
            On this local installation no mail is sent: the terminal that runs Tasklane prints the link. Put
            your new password at the end of it, in place of NEW_PASSWORD_HERE, and open it.
          </p>
        )}
      </div>
      <p className="text-center text-sm">
        <Link to={{ pathname: paths.login, search }} className="link link-primary">
          Back to login
        </Link>
      </p>
    </AuthCard>
  );
}
